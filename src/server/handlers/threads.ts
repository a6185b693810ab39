import { AppError } from '../../contract/app-error.ts'
import type { threadOperations } from '../../contract/operations/threads.ts'
import { listFeedbackStates, listRatings } from '../../store/answers/feedback.ts'
import { listMessages } from '../../store/answers/messages.ts'
import { deleteThread } from '../../store/answers/remove-threads.ts'
import { summarizeThreads } from '../../store/answers/thread-summaries.ts'
import { getThread, listThreads } from '../../store/answers/threads.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

export function createThreadHandlers(deps: Pick<ServerDeps, 'store'>): Handlers<typeof threadOperations> {
  const db = () => deps.store.durable

  return {
    listThreads: async ({ query: { from, to, feedback, ...query }, site }) => {
      const { items, nextCursor } = await listThreads(db(), site.id, {
        ...query,
        from: from === undefined ? undefined : Date.parse(from),
        to: to === undefined ? undefined : Date.parse(to),
        isHelpful: feedback === undefined ? undefined : feedback === 'helpful',
      })
      const threadIds = items.map(({ id }) => id)
      const summaries = await summarizeThreads(db(), site.id, threadIds)
      const listed = items.map((thread) => ({ ...thread, ...(summaries.get(thread.id) ?? emptySummary) }))
      return { items: listed, nextCursor }
    },

    getThread: async ({ params: { threadId }, query, site }) => {
      const thread = await getThread(db(), site.id, threadId)
      if (thread === null) throw missingThread(site.slug, threadId)
      const { items, nextCursor } = await listMessages(db(), site.id, threadId, query)
      const answerIds = items.filter(({ role }) => role === 'assistant').map((message) => message.id)
      const said = await listFeedbackStates(db(), answerIds)
      const ratings = await listRatings(db(), [...said.keys()], ratingsMax)
      const messages = items.map((message) => ({
        ...message,
        feedback: message.role === 'user' ? null : (said.get(message.id) ?? ('none' as const)),
        ratings: (ratings.get(message.id) ?? []).map(({ isHelpful, ...rating }) => ({ ...rating, helpful: isHelpful })),
      }))
      return { ...thread, messages, nextCursor }
    },

    deleteThread: async ({ params: { threadId }, site }) => {
      if (!(await deleteThread(db(), site.id, threadId))) throw missingThread(site.slug, threadId)
      return { reply: null, audit: { target: { kind: 'thread', id: threadId, name: site.slug } } }
    },
  }
}

/** Per answer: many votes under different names must not fill the reply. */
const ratingsMax = 20

/** Summary of a thread whose messages are not stored yet. */
const emptySummary = { question: null, questions: 0, verdict: null }

function missingThread(slug: string, threadId: string): AppError {
  return new AppError(
    'thread_not_found',
    `The site ${slug} has no thread ${threadId.slice(0, 128)}. List its threads to see their ids.`,
  )
}

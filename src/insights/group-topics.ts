import { type AskedQuestion, listAskedQuestions, type QuestionFilter } from '../store/asked-questions.ts'
import type { Store } from '../store/store.ts'
import { clusterQuestions } from './cluster-questions.ts'

export interface Topic {
  terms: string[]
  questions: number
  unanswered: number
  unhelpful: number
  /** The newest first. */
  examples: string[]
  lastAskedAt: number
}

/** Questions that are grouped at once: the newest. */
const groupedMax = 2_000
const questionsAtOnce = 500
const examplesMax = 5

/** What is asked most, of the newest questions. */
export async function groupTopics(
  store: Store,
  filter: QuestionFilter,
  limit: number,
): Promise<{ topics: Topic[]; questions: number }> {
  const asked = await listNewestQuestions(store, filter)
  const clusters = clusterQuestions(asked.map(toClustered))
  const topics = clusters.map(({ terms, questions }) =>
    toTopic(
      terms,
      questions.map(({ asked: one }) => one),
    ),
  )
  topics.sort((one, other) => other.questions - one.questions || other.lastAskedAt - one.lastAskedAt)
  return { topics: topics.slice(0, limit), questions: asked.length }
}

/** The newest questions of a part, as many as are grouped at once. */
export async function listNewestQuestions(store: Store, filter: QuestionFilter): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = []
  let cursor: string | null = null
  do {
    const request = { limit: questionsAtOnce, cursor }
    const page: Awaited<ReturnType<typeof listAskedQuestions>> = await listAskedQuestions(
      store.durable,
      filter,
      request,
    )
    asked.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && asked.length < groupedMax)
  return asked
}

export function toClustered(asked: AskedQuestion) {
  return { id: asked.questionId, text: asked.question, askedAt: asked.answer.createdAt, asked }
}

function toTopic(terms: string[], asked: readonly AskedQuestion[]): Topic {
  const newest = asked.toSorted((one, other) => other.answer.createdAt - one.answer.createdAt)
  return {
    terms,
    questions: asked.length,
    unanswered: asked.filter(({ answer }) => answer.verdict === 'unanswered').length,
    unhelpful: asked.filter(({ feedback }) => feedback === 'unhelpful').length,
    examples: [...new Set(newest.map(({ question }) => question))].slice(0, examplesMax),
    lastAskedAt: newest[0]?.answer.createdAt ?? 0,
  }
}

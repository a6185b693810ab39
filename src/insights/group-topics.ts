import { isRefusal } from '../contract/verdicts.ts'
import {
  type AskedCharsMax,
  type AskedQuestion,
  listAskedQuestions,
  type QuestionFilter,
} from '../store/answers/asked-questions.ts'
import type { Store } from '../store/store.ts'
import type { ClusterThread } from './cluster-thread.ts'

export interface Topic {
  /** The most typical question of the group, in a reader's words. */
  name: string
  terms: string[]
  questions: number
  unanswered: number
  unhelpful: number
  /** Newest first. */
  examples: string[]
  lastAskedAt: number
}

/** Most questions grouped together: the newest. */
const groupedMax = 5_000
const questionsAtOnce = 500
const examplesMax = 20
/** Longest part of a question that is shown and compared. */
const questionCharsMax = 1_000

export interface TopicDeps {
  store: Store
  clusters: ClusterThread
}

/** Groups the newest questions by topic, most asked first. */
export async function groupTopics(
  { store, clusters }: TopicDeps,
  filter: QuestionFilter,
  limit: number,
): Promise<{ topics: Topic[]; questions: number }> {
  const asked = await listNewestQuestions(store, filter, { question: questionCharsMax, answer: 1 })
  const groups = await clusters.cluster(asked.map(toFoundBy))
  const topics = groups.map(({ central, terms, questions }) =>
    toTopic(
      central.text,
      terms,
      questions.map(({ asked: one }) => one),
    ),
  )
  topics.sort((one, other) => other.questions - one.questions || other.lastAskedAt - one.lastAskedAt)
  return { topics: topics.slice(0, limit), questions: asked.length }
}

/** Lists the newest questions that match, up to the grouping limit. @param charsMax Length limits of the texts. */
export async function listNewestQuestions(
  store: Store,
  filter: QuestionFilter,
  charsMax: AskedCharsMax,
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = []
  let cursor: string | null = null
  do {
    const request = { limit: questionsAtOnce, cursor, charsMax }
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

/** With the pages found for it. Unanswered questions only have the nearest ones, so gaps are grouped by words. */
function toFoundBy(asked: AskedQuestion) {
  const { answer } = asked
  const sections = answer.sources.map(({ url }) => url.replace(/:~:.*$/s, ''))
  const pages = answer.asked?.triedPaths.map((path) => `${answer.siteId} ${path}`)
  return { ...toClustered(asked), sections, pages }
}

function toTopic(name: string, terms: string[], asked: readonly AskedQuestion[]): Topic {
  const newest = asked.toSorted((one, other) => other.answer.createdAt - one.answer.createdAt)
  return {
    name,
    terms,
    questions: asked.length,
    unanswered: asked.filter(({ answer }) => isRefusal(answer.verdict)).length,
    unhelpful: asked.filter(({ feedback }) => feedback === 'unhelpful').length,
    examples: [...new Set(newest.map(({ question }) => question))].slice(0, examplesMax),
    lastAskedAt: newest[0]?.answer.createdAt ?? 0,
  }
}

import type { Kysely } from 'kysely'
import type { Database } from '../schema.ts'

/** What a conversation is told by in a list. */
export interface ThreadSummary {
  /** The first question, its first characters. */
  question: string
  /** How many questions it holds. */
  questions: number
  /** Of its newest answer; null before there is one. */
  verdict: string | null
}

/** More of a question is not shown in a list. */
const questionCharsMax = 300

/** Most messages of a list of conversations that are looked at; those beyond tell nothing that a list shows. */
const messagesMax = 5_000

/** @param threadIds At most a page of them. Without a conversation that holds no message. */
export async function summarizeThreads(
  db: Kysely<Database>,
  siteId: string,
  threadIds: readonly string[],
): Promise<ReadonlyMap<string, ThreadSummary>> {
  const summaries = new Map<string, ThreadSummary>()
  if (threadIds.length === 0) return summaries
  const rows = await db
    .selectFrom('messages')
    .select(['threadId', 'role', 'verdict'])
    .select(({ fn, val }) => fn<string>('substr', ['text', val(1), val(questionCharsMax)]).as('text'))
    .where('siteId', '=', siteId)
    .where('threadId', 'in', threadIds)
    .where('replacedBy', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(messagesMax)
    .execute()
  for (const { threadId: id, role, verdict, text } of rows) {
    const summary = summaries.get(id)
    if (role === 'assistant') {
      if (summary !== undefined) summary.verdict = verdict
    } else if (summary === undefined) summaries.set(id, { question: text, questions: 1, verdict: null })
    else summary.questions++
  }
  return summaries
}

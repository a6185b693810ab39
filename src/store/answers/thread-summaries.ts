import type { Db } from '../schema.ts'

/** What a list shows about a conversation. */
export interface ThreadSummary {
  /** Beginning of the first question. */
  question: string
  /** Number of questions. */
  questions: number
  /** Verdict of the newest answer; null before the first. */
  verdict: string | null
}

/** Longest question that a list shows. */
const questionCharsMax = 300

/** Most messages to read for one page of conversations. */
const messagesMax = 5_000

/**
 * @param threadIds At most one page.
 * @returns Summaries by thread id, without empty conversations.
 */
export async function summarizeThreads(
  db: Db,
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

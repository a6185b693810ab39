import type { Db } from '../schema.ts'
import { type Message, toMessage } from './messages.ts'
import { getThread, type Thread } from './threads.ts'

export interface FoundAnswer {
  thread: Thread
  question: Message
  answer: Message
}

/** An answer with its question, also one that was replaced; null if the thread has no such answer. */
export async function findAnswer(
  db: Db,
  { siteId, threadId, messageId }: { siteId: string; threadId: string; messageId: string },
): Promise<FoundAnswer | null> {
  const ofThread = db.selectFrom('messages').selectAll().where('siteId', '=', siteId).where('threadId', '=', threadId)
  const answer = await ofThread.where('id', '=', messageId).where('role', '=', 'assistant').executeTakeFirst()
  const question = await ofThread.where('id', '=', answer?.questionId ?? '').executeTakeFirst()
  const thread = await getThread(db, siteId, threadId)
  if (answer === undefined || question === undefined || thread === null) return null
  return { thread, question: toMessage(question), answer: toMessage(answer) }
}

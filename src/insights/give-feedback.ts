import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import { maskSecrets } from '../base/mask-secrets.ts'
import { AppError } from '../contract/app-error.ts'
import { type Feedback, findAnswerThread, saveFeedback } from '../store/answers/feedback.ts'
import type { Store } from '../store/store.ts'

export interface GiveFeedbackDeps {
  store: Store
  clock: Clock
  ids: IdSource
  /** Whether secrets and personal data are taken out of what is stored. */
  masksStored: boolean
}

export type GivenFeedback = Omit<Feedback, 'id' | 'createdAt' | 'updatedAt'>

/**
 * The thread of an answer that feedback is given on.
 *
 * @throws {AppError} `message_not_found` when the site has no such answer.
 */
export async function requireAnswer(store: Store, siteId: string, messageId: string): Promise<string> {
  const threadId = await findAnswerThread(store.durable, siteId, messageId)
  if (threadId !== null) return threadId
  throw new AppError(
    'message_not_found',
    `This site has no answer ${messageId.slice(0, 128)}. Send the messageId of the start event, after the answer has ended.`,
  )
}

/** Stores what a reader says of an answer; saying it again changes it. */
export function giveFeedback(
  { store, clock, ids, masksStored }: GiveFeedbackDeps,
  given: GivenFeedback,
): Promise<Feedback> {
  const now = clock.now()
  const mask = (text: string | null) => (masksStored && text !== null ? maskSecrets(text) : text)
  return saveFeedback(store.durable, {
    ...given,
    id: ids.prefixed('fb'),
    reason: mask(given.reason),
    note: mask(given.note),
    createdAt: now,
    updatedAt: now,
  })
}

import type { IdSource } from '../base/ids.ts'
import { maskSecrets } from '../base/mask-secrets.ts'
import { AppError } from '../contract/app-error.ts'
import { type Feedback, findAnswerThread, saveFeedback } from '../store/answers/feedback.ts'
import type { Store } from '../store/store.ts'
import type { StoreDeps } from '../store/store-deps.ts'

export interface GiveFeedbackDeps extends StoreDeps {
  ids: IdSource
  /** Whether to mask secrets and personal data before storing. */
  masksStored: boolean
}

export type GivenFeedback = Omit<Feedback, 'id' | 'createdAt' | 'updatedAt'>

/**
 * Finds the thread of the answer that feedback refers to.
 *
 * @throws {AppError} `message_not_found` if the site has no such answer.
 */
export async function requireAnswer(store: Store, siteId: string, messageId: string): Promise<string> {
  const threadId = await findAnswerThread(store.durable, siteId, messageId)
  if (threadId !== null) return threadId
  throw new AppError(
    'message_not_found',
    `This site has no answer ${messageId.slice(0, 128)}. Send the messageId of the start event once the answer is complete.`,
  )
}

/** Stores a reader's feedback on an answer or a page, replacing earlier feedback. */
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

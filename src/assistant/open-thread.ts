import { createHmac, type KeyObject } from 'node:crypto'
import type { IdSource } from '../base/ids.ts'
import { AppError } from '../contract/app-error.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { Store } from '../store/store.ts'
import { getThread } from '../store/answers/threads.ts'
import { isSameSecret } from '../base/same-secret.ts'

export interface OpenThreadDeps {
  store: Store
  ids: IdSource
  /** 256 bits; derives thread keys that no one can guess. */
  threadKeySecret: KeyObject
}

/** The thread that an answer belongs to. */
export interface OpenThread {
  id: string
  /** The thread's secret. */
  key: string
  /** Whether this is its first answer, the only one that carries the key. */
  isNew: boolean
}

/**
 * Finds the thread that a question continues, or starts one, under a new id or the one that the client chose.
 *
 * A thread's key is derived from its site and id, so that two simultaneous first questions get the same one.
 *
 * @throws {AppError} `thread_not_found` if a thread key is sent that does not match the thread.
 */
export async function openThread(
  deps: OpenThreadDeps,
  siteId: string,
  question: Pick<AssistantQuestion, 'threadId' | 'threadKey'>,
): Promise<OpenThread> {
  const { threadId, threadKey } = question
  if (threadId === null) {
    const id = deps.ids.ulid()
    return { id, key: deriveThreadKey(deps.threadKeySecret, siteId, id), isNew: true }
  }
  const isNew = (await getThread(deps.store.durable, siteId, threadId)) === null
  const key = deriveThreadKey(deps.threadKeySecret, siteId, threadId)
  if (threadKey !== null && (isNew || !isSameSecret(threadKey, key))) {
    throw new AppError(
      'thread_not_found',
      'There is no thread with this id and key. Leave both out to start a new one.',
    )
  }
  return { id: threadId, key, isNew }
}

function deriveThreadKey(secret: KeyObject, siteId: string, threadId: string): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['thread-key', siteId, threadId]))
    .digest('base64url')
}

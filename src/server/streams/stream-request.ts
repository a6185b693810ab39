import type { ServerResponse } from 'node:http'
import type { AppContext } from '../app-env.ts'
import type { StreamOwner } from './resumable-stream.ts'

/**
 * Identifies who requests an answer of a chat. Signed-in readers get only answers that were made for the same groups.
 */
export function readStreamOwner(c: AppContext, chatId: string): StreamOwner {
  const { key, reader } = c.get('readerRequest')
  const audience = JSON.stringify([reader.isSignedIn, ...reader.readerGroups.toSorted()])
  return { keyId: key.id, chatId, address: c.get('clientAddress'), audience }
}

/** The Node response that answers are streamed to. */
export function requireSocket(c: AppContext): ServerResponse {
  const response = c.env.outgoing
  if (response === undefined) throw new Error('Answers stream to a socket, and this request has none.')
  return response
}

import type { ReaderSession, ReaderSessionRequest } from './generated/wire-types.ts'

export type SendSession = (body: ReaderSessionRequest) => Promise<ReaderSession>

/** Concurrent hashes: enough to keep the browser busy, few enough to let it render in between. */
const batch = 512

/**
 * Obtains a session, solving the puzzle that is required under pressure. The page stays responsive, because the browser
 * hashes off the main thread.
 *
 * @param send Sends a body to the address of sessions and resolves to the reply.
 * @param signal Ends the work on the puzzle.
 * @returns The value for `X-Docent-Session`.
 */
export async function getSession(send: SendSession, signal?: AbortSignal | null): Promise<string> {
  const first = await send({})
  if (first.puzzle === null) return first.session ?? ''
  const { challenge, bits } = first.puzzle
  const solved = await send({ challenge, nonce: await solve(challenge, bits, signal) })
  return solved.session ?? ''
}

/** Finds a nonce whose hash with the challenge starts with the given number of zero bits. */
async function solve(challenge: string, bits: number, signal?: AbortSignal | null): Promise<string> {
  if (crypto.subtle === undefined)
    throw new Error('Asking questions currently requires a secure connection. Open this site over HTTPS.')
  const encoder = new TextEncoder()
  for (let from = 0; ; from += batch) {
    signal?.throwIfAborted()
    const nonces = Array.from({ length: batch }, (_, index) => String(from + index))
    const hashes = await Promise.all(
      nonces.map((nonce) => crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}:${nonce}`))),
    )
    const found = hashes.findIndex((hash) => new DataView(hash).getUint32(0) >>> (32 - bits) === 0)
    if (found >= 0) return String(from + found)
  }
}

/** Hashes that are asked for at once: enough to keep the browser busy, few enough to let it draw between them. */
const batch = 512

/**
 * Gets a session, and solves the puzzle that is asked for it under pressure. The page stays responsive, because the
 * browser hashes outside of its thread.
 *
 * @param {{ site: string, key: string, signal: AbortSignal }} asker
 * @returns {Promise<string>} What `X-Docent-Session` takes.
 */
export async function getSession({ site, key, signal }) {
  const first = await post({ site, key, signal }, {})
  if (first.session !== null) return first.session
  const { challenge, bits } = first.puzzle
  const solved = await post({ site, key, signal }, { challenge, nonce: await solve(challenge, bits, signal) })
  return solved.session
}

async function post({ site, key, signal }, body) {
  const response = await fetch(`/discovery/v2/session/${encodeURIComponent(site)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
    signal,
  })
  const reply = await response.json()
  if (!response.ok) throw new Error(reply.error)
  return reply
}

/** Finds a number whose hash with the challenge begins with so many zero bits. */
async function solve(challenge, bits, signal) {
  if (crypto.subtle === undefined) throw new Error('Questions need a secure page now. Open this site with https.')
  const encoder = new TextEncoder()
  for (let from = 0; ; from += batch) {
    signal.throwIfAborted()
    const nonces = Array.from({ length: batch }, (_, index) => String(from + index))
    const hashes = await Promise.all(
      nonces.map((nonce) => crypto.subtle.digest('SHA-256', encoder.encode(`${challenge}:${nonce}`))),
    )
    const found = hashes.findIndex((hash) => new DataView(hash).getUint32(0) >>> (32 - bits) === 0)
    if (found >= 0) return nonces[found]
  }
}

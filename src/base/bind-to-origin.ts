/** The server redirected to another origin. Not followed, because the request carries credentials for this server only. */
export class RedirectRefusedError extends Error {
  override readonly name = 'RedirectRefusedError'

  constructor({ origin }: URL) {
    super(`${origin} redirects to another address. Configure that address instead.`)
  }
}

/** Every other redirect status turns a POST into a GET. */
const keepsMethod: ReadonlySet<number> = new Set([307, 308])

const changesMethod: ReadonlySet<number> = new Set([301, 302, 303])

/**
 * A `fetch` whose headers never leave their origin. The built-in one drops `authorization` on a redirect to another
 * origin, but still sends `x-api-key`, `api-key`, `x-goog-api-key` and the body.
 *
 * Rejects with `RedirectRefusedError` for redirects to another origin, redirects that would change the method, and
 * redirects beyond `redirectsMax`. Pass bodies as text or bytes: a stream cannot be sent twice.
 *
 * @param send Called with `redirect: 'manual'`.
 * @param redirectsMax 0 follows none.
 */
export function bindToOrigin(send: typeof fetch, redirectsMax: number): typeof fetch {
  return async (input, init) => {
    const manual = { ...init, redirect: 'manual' as const }
    let url = new URL(input instanceof Request ? input.url : input)
    let reply = await send(input, manual)
    // Sending a request object consumes its body.
    const followsMax = input instanceof Request ? 0 : redirectsMax
    for (let followed = 0; isRedirect(reply); followed++) {
      await reply.body?.cancel()
      const next = URL.parse(reply.headers.get('location') ?? '', url)
      const isRepeatable = keepsMethod.has(reply.status) || ['GET', 'HEAD'].includes(init?.method ?? 'GET')
      if (next?.origin !== url.origin || !isRepeatable || followed >= followsMax) throw new RedirectRefusedError(url)
      url = next
      reply = await send(url, manual)
    }
    return reply
  }
}

function isRedirect({ status, headers }: Response): boolean {
  return (keepsMethod.has(status) || changesMethod.has(status)) && headers.has('location')
}

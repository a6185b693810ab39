/** The parts of a request that CORS headers depend on. Absent headers are null. */
export interface CorsRequest {
  method: string
  /** `Origin`. */
  origin: string | null
  /** `Access-Control-Request-Headers`. */
  requestedHeaders: string | null
}

export interface CorsAnswer {
  /** For a preflight, reply 204 with only `headers`; it carries no key. */
  isPreflight: boolean
  /** To be set on all replies, errors included; otherwise a page cannot read why it was refused. */
  headers: Record<string, string>
}

/** Some releases of the AI SDK send `User-Agent` from Safari and Firefox, and resuming clients send `Last-Event-ID`. */
const allowedHeaders = ['Authorization', 'Content-Type', 'User-Agent', 'Last-Event-ID']
const exposedHeaders = 'X-Thread-Id, X-Thread-Key, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id'
const requestedHeadersMax = 64
const headerName = /^[\w!#$%&'*+.^`|~-]{1,128}$/

/**
 * CORS headers of what pages of any origin call, most of it with their own key. The origins of a key are enforced
 * on the actual request, because a preflight carries no key. Credentials are never allowed: no cookie counts there.
 */
export function corsHeaders({ method, origin, requestedHeaders }: CorsRequest): CorsAnswer {
  const isPreflight = method === 'OPTIONS'
  const always = { 'Access-Control-Allow-Origin': origin ?? '*', Vary: 'Origin' }
  if (!isPreflight) return { isPreflight, headers: { ...always, 'Access-Control-Expose-Headers': exposedHeaders } }
  return {
    isPreflight,
    headers: {
      ...always,
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers': allowHeaders(requestedHeaders ?? ''),
      'Access-Control-Max-Age': '600',
    },
  }
}

/** Ours followed by the requested ones, so that a page may send headers that a proxy in front of us needs. */
function allowHeaders(requested: string): string {
  const known = new Set(allowedHeaders.map((name) => name.toLowerCase()))
  const names = requested.split(',').map((name) => name.trim())
  const others = names.filter((name) => headerName.test(name) && !known.has(name.toLowerCase()))
  return [...allowedHeaders, ...others.slice(0, requestedHeadersMax)].join(', ')
}

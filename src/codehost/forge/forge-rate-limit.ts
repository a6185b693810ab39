/** The least that GitHub asks callers to wait at a secondary limit that names no time. */
const waitMsDefault = 60_000

/**
 * Whether a forge refused because it was asked too often, and how long it asks to wait.
 *
 * GitHub answers 403 at some of its limits, which only headers or words tell from a refusal; all forges answer 429.
 *
 * @see https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
 */
export async function readRateLimit(response: Response, now: number): Promise<{ retryAfterMs: number } | null> {
  const { status, headers } = response
  if (status !== 429 && !(status === 403 && (await isLimit(response)))) return null
  return { retryAfterMs: readRetryAfter(response, now) ?? readReset(headers, now) ?? waitMsDefault }
}

async function isLimit(response: Response): Promise<boolean> {
  const { headers } = response
  if (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0') return true
  return /secondary rate limit|abuse detection/i.test(await response.clone().text())
}

/** The header `Retry-After` in milliseconds, given in seconds or as a date; null when absent or unreadable. */
export function readRetryAfter({ headers }: Response, now: number): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** When the limit begins anew, in seconds since the epoch: GitHub and Gitea by the first name, GitLab by the second. */
function readReset(headers: Headers, now: number): number | null {
  const text = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')
  if (text === null || !/^\d{1,12}$/.test(text)) return null
  return Math.max(0, Number(text) * 1000 - now)
}

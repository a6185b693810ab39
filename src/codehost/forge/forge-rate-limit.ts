/** GitHub's documented minimum wait at a secondary limit that names none. */
const waitMsDefault = 60_000

/**
 * Detects a rate limit and the wait that the forge asks for.
 *
 * GitHub answers 403 at some of its limits, distinguishable from a refusal only by headers or wording; all forges
 * answer 429.
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

/** `Retry-After` in milliseconds, from seconds or a date; null if absent or unreadable. */
export function readRetryAfter({ headers }: Response, now: number): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

/** Reset time in epoch seconds: GitHub and Gitea use the first name, GitLab the second. */
function readReset(headers: Headers, now: number): number | null {
  const text = headers.get('x-ratelimit-reset') ?? headers.get('ratelimit-reset')
  if (text === null || !/^\d{1,12}$/.test(text)) return null
  return Math.max(0, Number(text) * 1000 - now)
}

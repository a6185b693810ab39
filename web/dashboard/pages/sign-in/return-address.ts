import { readPullRequestAddress } from '../pull-request/pull-request-address.ts'

const start = '/dashboard'

/**
 * Resolves where to go after signing in.
 *
 * The address comes from a link that anyone may have made, so only the dashboard and pull requests are allowed.
 */
export function readReturnAddress(given: string | undefined, origin: string): string {
  if (given === undefined || !URL.canParse(given, origin)) return start
  const url = new URL(given, origin)
  const isOurs =
    url.origin === origin && (url.pathname.startsWith(`${start}/`) || readPullRequestAddress(url.pathname) !== null)
  const asksAgain = /^\/dashboard\/(?:sign-in|accept)\b/.test(url.pathname)
  return isOurs && !asksAgain ? `${url.pathname}${url.search}${url.hash}` : start
}

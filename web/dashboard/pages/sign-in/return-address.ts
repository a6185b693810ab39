import { readPullRequestAddress } from '../pull-request/pull-request-address.ts'

const start = '/dashboard'

/**
 * Where to go after signing in.
 *
 * Anyone may have made the link that carries the address, so it leads only into the dashboard or to a pull request.
 */
export function readReturnAddress(given: string | undefined, origin: string): string {
  if (given === undefined || !URL.canParse(given, origin)) return start
  const url = new URL(given, origin)
  const isOurs =
    url.origin === origin && (url.pathname.startsWith(`${start}/`) || readPullRequestAddress(url.pathname) !== null)
  const asksAgain = /^\/dashboard\/(?:sign-in|accept)\b/.test(url.pathname)
  return isOurs && !asksAgain ? `${url.pathname}${url.search}${url.hash}` : start
}

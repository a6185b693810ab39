const start = '/dashboard'

/**
 * Where to go after signing in.
 *
 * The address comes with a link that anyone may have made, so that it leads nowhere but into the dashboard.
 */
export function readReturnAddress(given: string | undefined, origin: string): string {
  if (given === undefined || !URL.canParse(given, origin)) return start
  const url = new URL(given, origin)
  const isOurs = url.origin === origin && url.pathname.startsWith(`${start}/`)
  const asksAgain = /^\/dashboard\/(?:sign-in|accept)\b/.test(url.pathname)
  return isOurs && !asksAgain ? `${url.pathname}${url.search}${url.hash}` : start
}

/** Only its path matters: no browser is ever sent there. */
const anyOrigin = 'https://own.invalid'

/**
 * Where to go after signing in: always a path on this server, so that a sign-in link cannot redirect to another site.
 *
 * @param fallback Where to go if the requested target is unusable.
 */
export function readReturnTo(text: string | undefined, fallback: string): string {
  // Browsers treat a backslash as a slash and drop tabs and line breaks from URLs.
  if (text === undefined || text.length > 1_000 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return fallback
  if (!URL.canParse(text, anyOrigin)) return fallback
  const { origin, pathname, search, hash } = new URL(text, anyOrigin)
  // A path such as `/.//example.com` normalizes to one with two leading slashes, which names another host.
  return origin === anyOrigin && !pathname.startsWith('//') ? pathname + search + hash : fallback
}

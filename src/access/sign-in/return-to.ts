/** Only its path counts: no page is ever sent there. */
const anyOrigin = 'https://own.invalid'

/**
 * Where to go after signing in: a path of this server, whatever was asked for, so that no link to the sign-in leads to
 * another site.
 *
 * @param fallback Where to go when nothing usable was asked for.
 */
export function readReturnTo(text: string | undefined, fallback: string): string {
  // Browsers read a backslash as a slash, and drop tabs and line breaks from addresses.
  if (text === undefined || text.length > 1_000 || !/^\/(?!\/)[\x21-\x5b\x5d-\x7e]*$/.test(text)) return fallback
  if (!URL.canParse(text, anyOrigin)) return fallback
  const { origin, pathname, search, hash } = new URL(text, anyOrigin)
  // A path such as `/.//example.com` turns into one with two slashes, which is another host.
  return origin === anyOrigin && !pathname.startsWith('//') ? pathname + search + hash : fallback
}

/** Nothing of a site runs: scripts and styles are ours alone, and pictures of elsewhere are not loaded. */
const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

/** What every page of ours carries. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy,
  'X-Content-Type-Options': 'nosniff',
}

/** Normalizes an address for comparison: no query, anchor or trailing slash. */
export function normalizeAddress(path: string): string {
  return `/${path.replace(/[?#].*$/, '').replace(/^\/+|\/+$/g, '')}`
}

const openMax = 2000

/**
 * Matches addresses: `:name` stands for one segment, a segment with `*` for all the rest.
 *
 * @param patterns At most 2,000 with `:` or `*` count, because each costs time per address.
 */
export function matchPathPatterns(patterns: readonly string[]): (path: string) => boolean {
  const normal = patterns.map(normalizeAddress)
  const exact = new Set(normal.filter((pattern) => !/[:*]/.test(pattern)))
  const open = normal
    .filter((pattern) => /[:*]/.test(pattern))
    .map((pattern) => pattern.split('/'))
    .slice(0, openMax)
  return (path) => {
    const wanted = normalizeAddress(path)
    if (exact.has(wanted)) return true
    const segments = wanted.split('/')
    return open.some((pattern) => matchesPattern(pattern, segments))
  }
}

function matchesPattern(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [index, part] of pattern.entries()) {
    if (part.includes('*')) return segments.length >= index
    const segment = segments[index]
    if (segment === undefined || (!part.startsWith(':') && part !== segment)) return false
  }
  return pattern.length === segments.length
}

import { normalizeAddress } from './path-patterns.ts'
import type { Redirect } from './redirect.ts'

/** Patterns are tried one by one for each address. */
const patternsMax = 2_000
const hopsMax = 10
const openPattern = /[:*()[\]?+\\]/

/** @returns The destination as it is written, with the pattern's names filled in; null if nothing redirects the path. */
export type FindRedirect = (path: string) => string | null

/**
 * Looks addresses up in a table of redirects, and follows redirects to redirects. `:name` is one segment, `*`, `:name*`
 * and `(.*)` are the rest of a path, as hosts and formats write them.
 */
export function createRedirectFinder(redirects: readonly Redirect[]): FindRedirect {
  const exact = new Map<string, string>()
  const patterns: { segments: string[]; destination: string }[] = []
  for (const { source, destination } of redirects) {
    const path = normalizeAddress(source)
    if (!openPattern.test(path)) {
      if (!exact.has(path)) exact.set(path, destination)
    } else if (patterns.length < patternsMax) patterns.push({ segments: path.split('/'), destination })
  }
  const findOne = (path: string): string | null => {
    const known = exact.get(path)
    if (known !== undefined) return known
    const segments = path.split('/')
    for (const pattern of patterns) {
      const values = matchSegments(pattern.segments, segments)
      if (values !== null) return fillIn(pattern.destination, values)
    }
    return null
  }
  return (path) => {
    let found = findOne(normalizeAddress(path))
    for (let hops = 1; found?.startsWith('/') === true && hops < hopsMax; hops++) {
      const next = findOne(normalizeAddress(found))
      if (next === null || next === found) return found
      found = next
    }
    return found
  }
}

/** The values of the pattern's names; null if it does not match. */
function matchSegments(pattern: readonly string[], segments: readonly string[]): Map<string, string> | null {
  const values = new Map<string, string>()
  for (const [index, part] of pattern.entries()) {
    const rest = /^(?::([a-z]\w*))?(?:\*|\(\.\*\))$/i.exec(part)
    if (rest !== null) {
      // A pattern for every address is a host's fallback.
      if (index < 2 && pattern.length === 2) return null
      const value = segments.slice(index).join('/')
      for (const name of [rest[1] ?? 'splat', '*', '$1']) values.set(name, value)
      return segments.length >= index ? values : null
    }
    const segment = segments[index]
    if (segment === undefined) return null
    const [, name] = /^:([a-z]\w*)$/i.exec(part) ?? []
    if (name === undefined ? part !== segment : segment === '') return null
    if (name !== undefined) values.set(name, segment)
  }
  return pattern.length === segments.length ? values : null
}

function fillIn(destination: string, values: ReadonlyMap<string, string>): string {
  const filled = destination.replace(/:([a-z]\w*)\*?|(\*|\$1)/gi, (whole, name?: string, mark?: string) => {
    return values.get(name ?? mark ?? '') ?? whole
  })
  // The rest of a path may be empty, and `//` would be another host.
  return filled.startsWith('/') ? filled.replace(/^\/+/, '/') : filled
}

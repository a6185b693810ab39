interface Rewrite {
  pattern: RegExp
  names: readonly string[]
  target: string
}

const rewritesMax = 1000
/** Each wildcard multiplies matching time. */
const wildcardsMax = 2

/**
 * Makes the function that rewrites paths, from pairs such as `'packages/:pkg/src/:slug*': ':pkg/:slug*'`. `:name`
 * matches one segment, `:name*` any number. The first matching pair wins; other expressions are not supported.
 */
export function createPathRewriter(pairs: readonly (readonly [from: string, to: string])[]): (path: string) => string {
  const rewrites = pairs.slice(0, rewritesMax).flatMap(([from, target]) => compile(from, target))
  return (path) => {
    for (const { pattern, names, target } of rewrites) {
      const match = pattern.exec(path)
      if (match === null) continue
      return target
        .replace(/:(\w+)(?:\([^)]*\))?[*+?]?/g, (_written, name: string) => match[names.indexOf(name) + 1] ?? '')
        .replace(/\/{2,}/g, '/')
    }
    return path
  }
}

function compile(from: string, target: string): Rewrite[] {
  if ((from.match(/[*+]/g) ?? []).length > wildcardsMax) return []
  const names: string[] = []
  const source = from
    .split(/(:\w+(?:\([^)]*\))?[*+?]?)/)
    .map((part) => {
      const [, name, many = ''] = /^:(\w+)(?:\([^)]*\))?([*+?]?)$/.exec(part) ?? []
      if (name === undefined) return part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
      names.push(name)
      return many === '*' || many === '+' ? '(.*)' : '([^/]+)'
    })
    .join('')
  return [{ pattern: new RegExp(`^${source}$`), names, target }]
}

/**
 * The form in which names are compared: `retryCount`, `retry-count`, `retry_count`, `RETRY_COUNT` and `--no-retry-count`
 * are one, so that a change of case or a move from a literal to a schema is not drift.
 */
export function nameKey(name: string): string {
  return name
    .replace(/^--(?:no-)?/, '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[-.]/g, '_')
    .toLowerCase()
}

/** Names of types, classes and components, which are not those of options and functions: `Option` and `option`. */
export function isTypeName(name: string): boolean {
  return /^[A-Z]\w*[a-z]/.test(name)
}

/** The key of a type's name, which no `nameKey` equals. */
export function typeKey(name: string): string {
  return `^${nameKey(name)}`
}

/** Whether a name has several parts, unlike a plain word. */
export function isCompoundName(key: string): boolean {
  return /[a-z\d]_[a-z\d]/.test(key)
}

const valueCharsMax = 80

/**
 * A literal value in the form in which values are compared, or null if it is not a literal: quotes, separators and
 * products of numbers make no difference.
 */
export function normalizeValue(written: string): string | null {
  const text = written
    .trim()
    .replace(/[,;]+$/, '')
    .trim()
  if (text.length > valueCharsMax) return null
  const quoted = /^[rbuf]?(["'`])([^"'`]*)\1$/.exec(text)
  if (quoted !== null) return quoted[2] === '' ? '""' : (quoted[2] ?? '').toLowerCase()
  if (/^[\d_]+(?:\s*\*\s*[\d_]+)+$/.test(text)) {
    return String(text.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '').trim()), 1))
  }
  if (/^-?\d[\d_]*(?:\.\d+)?$/.test(text)) return String(Number(text.replaceAll('_', '')))
  const word = text.toLowerCase()
  if (/^(?:none|null|undefined|nil)$/.test(word)) return 'none'
  return /^(?:true|false)$/.test(word) ? word : null
}

/**
 * The form in which names are compared: `retryCount`, `retry-count`, `retry_count`, `RETRY_COUNT` and `--no-retry-count`
 * are one, so that a change of case or a move from a literal to a schema is not drift.
 */
export function nameKey(name: string): string {
  return name
    .replace(/^--(?:no-)?/, '')
    .replaceAll(/([A-Z]{2,})([A-Z][a-z])|([a-z\d])([A-Z])/g, '$1$3_$2$4')
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

const secondsOf: Readonly<Record<string, number>> = {
  ms: 0.001,
  millis: 0.001,
  millisecond: 0.001,
  s: 1,
  secs: 1,
  second: 1,
  m: 60,
  mins: 60,
  minute: 60,
  h: 3600,
  hour: 3600,
}

/** `90*time.Second`, `Duration::from_secs(90)`, `90s` and `1m30s` are one; null for what is no time with its unit. */
function normalizeDuration(text: string): string | null {
  const rust = /^duration::from_(\w+)\(([\d_]+)\)$/.exec(text)
  const go = /^(?:[\d_]+\s*\*\s*)*time\.(\w+)(?:\s*\*\s*[\d_]+)*$/.exec(text)
  if (rust !== null || go !== null) {
    const unit = secondsOf[rust?.[1] ?? go?.[1] ?? '']
    const factors = rust === null ? text.replace(/time\.\w+/, '').match(/[\d_]+/g) : [rust[2] ?? '']
    return unit === undefined
      ? null
      : `${(factors ?? []).reduce((product, factor) => product * Number(factor.replaceAll('_', '')), unit)}s`
  }
  const parts = /^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text) ? [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)] : []
  return parts.length === 0
    ? null
    : `${parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (secondsOf[unit] ?? 0), 0)}s`
}

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
  const duration = normalizeDuration(text.toLowerCase().replace(/^["'`]([^"'`]*)["'`]$/, '$1'))
  if (duration !== null) return duration
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

import { dayMs, hourMs, minuteMs, weekMs } from '../../base/durations.ts'

/** The normalised value of a claim. Values of different kinds are not comparable. */
export interface ClaimValue {
  kind: 'boolean' | 'number' | 'milliseconds' | 'bytes' | 'percent' | 'text'
  /** Equal for equal values: `5 min` and `300s`, `on` and `true`, `./dist/` and `"dist"`. */
  id: string
  written: string
}

const valueCharsMax = 80
const truths = new Set(['true', 'on', 'enabled', 'yes', 'active', 'activated'])
const falsehoods = new Set(['false', 'off', 'disabled', 'no', 'inactive', 'deactivated'])

/** Words for the absence of a value, or for a type or a description instead of one. */
const placeholders = new Set(
  (
    'none null nil undefined unset empty n/a na required optional string number boolean object array integer int any ' +
    'auto-generated generated varies inherited various same it this that see default defaults value them'
  ).split(' '),
)

const milliseconds: Readonly<Record<string, number>> = {
  ms: 1,
  msec: 1,
  millisecond: 1,
  s: 1000,
  sec: 1000,
  second: 1000,
  m: minuteMs,
  min: minuteMs,
  minute: minuteMs,
  h: hourMs,
  hr: hourMs,
  hour: hourMs,
  d: dayMs,
  day: dayMs,
  w: weekMs,
  week: weekMs,
}

const bytes: Readonly<Record<string, number>> = {
  b: 0,
  byte: 0,
  kb: 1,
  kib: 1,
  mb: 2,
  mib: 2,
  gb: 3,
  gib: 3,
  tb: 4,
  tib: 4,
}

/** A number, with a unit or without. */
const quantity = /^([-+]?\d[\d,_]*(?:\.\d+)?(?:e\d{1,2})?)(?:[ -]?(%|percent|[a-z]{1,12}))?$/i

const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** @param written Without backticks. @returns Null for expressions, placeholders and prose. Pure. */
export function readClaimValue(written: string): ClaimValue | null {
  const bare = written.trim().replace(/^(["'“‘])(.*)["'”’]$/, '$2')
  if (bare === '' || bare.length > valueCharsMax) return null
  const lower = bare.toLowerCase()
  if (placeholders.has(lower)) return null
  if (truths.has(lower)) return { kind: 'boolean', id: 'true', written }
  if (falsehoods.has(lower)) return { kind: 'boolean', id: 'false', written }
  const measured = readQuantity(lower)
  if (measured !== null) return { ...measured, written }
  return isLiteral(bare) ? { kind: 'text', id: lower.replace(/^\.\//, '').replace(/(?<=.)\/$/, ''), written } : null
}

function readQuantity(lower: string): Pick<ClaimValue, 'kind' | 'id'> | null {
  const word = numberWords.indexOf(lower.split(' ')[0] ?? '')
  const [, digits, unit = ''] = quantity.exec(word < 0 ? lower : lower.replace(/^[a-z]+/, String(word))) ?? []
  if (digits === undefined) return null
  const number = Number(digits.replace(/[,_]/g, ''))
  if (unit === '') return { kind: 'number', id: String(number) }
  if (unit === '%' || unit === 'percent') return { kind: 'percent', id: String(number) }
  const single = unit.length > 2 && unit !== 'kib' ? unit.replace(/s$/, '') : unit
  const time = milliseconds[single]
  if (time !== undefined) return { kind: 'milliseconds', id: String(number * time) }
  const power = bytes[single]
  // 1 KB is 1000 or 1024 bytes, as the author meant it.
  if (power !== undefined) return { kind: 'bytes', id: String(number * 1024 ** power) }
  return /^[a-z]{3,}$/.test(single) ? { kind: 'number', id: String(number) } : null
}

/** A word, path, address, version or list of words, not code that computes one. */
function isLiteral(text: string): boolean {
  return /^[\p{L}\p{N}@/._~$*+][\p{L}\p{N}@/._:~$*+#?&=,%-]*$/u.test(text) && !/^\.+$|=>/.test(text)
}

const measures = new Set<ClaimValue['kind']>(['number', 'milliseconds', 'bytes', 'percent'])

/** Whether both cannot be true. A number without a unit may be any measure. Pure. */
export function areContrary(a: ClaimValue, b: ClaimValue): boolean {
  if (a.kind !== b.kind) return !(measures.has(a.kind) || a.kind === 'boolean') || b.kind === 'text'
  if (a.kind !== 'bytes') return a.id !== b.id
  const ratio = Math.max(Number(a.id), Number(b.id)) / Math.max(1, Math.min(Number(a.id), Number(b.id)))
  return ratio > 1.1
}

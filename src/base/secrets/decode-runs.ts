import { hasRun } from './has-run.ts'
import { isDrawnCapitals } from './is-placeholder.ts'

/** A part of a text that says something else when decoded. */
export interface DecodedRun {
  /** As written. */
  value: string
  start: number
  decoded: string
}

const runCharsMin = 16
const runs = new RegExp(`[^\\s"'\`<>()]{${runCharsMin},4000}`, 'g')
const base64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g
const base64Segment = /(?<=\/)[A-Za-z0-9+_-]{24,}={0,2}/g
const escapes =
  /%([0-9a-f]{2})|\\(?:u00|x)([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|\\([_*.\-~])|&(lowbar|UnderBar|dash|hyphen|period|sol|plus|equals|colon);/gi
const signs: Readonly<Record<string, string>> = {
  lowbar: '_',
  underbar: '_',
  dash: '-',
  hyphen: '-',
  period: '.',
  sol: '/',
  plus: '+',
  equals: '=',
  colon: ':',
}

/** Finds what is encoded by base64, hexadecimal digits, percent signs or escapes, and decodes it once. Linear time. */
export function decodeRuns(text: string): DecodedRun[] {
  if (!hasRun(text, runCharsMin)) return []
  return [...text.matchAll(runs)].flatMap(({ 0: run, index }) => {
    const plain = run.replace(escapes, unescape)
    const unescaped = plain === run ? [] : [{ value: run, start: index, decoded: plain }]
    // A slash may also separate what is encoded from the rest of an address.
    const inBase64 = [base64, base64Segment].flatMap((pattern) =>
      [...run.matchAll(pattern)].flatMap(({ 0: value, index: offset }) => {
        const decoded = decodeText(value)
        return decoded === null ? [] : [{ value, start: index + offset, decoded }]
      }),
    )
    return [...unescaped, ...inBase64]
  })
}

function unescape(written: string, ...groups: (string | undefined)[]): string {
  const [percent, json, hex, decimal, sign, entity] = groups
  if (entity !== undefined) return signs[entity.toLowerCase()] ?? written
  if (sign !== undefined) return sign
  const code = decimal === undefined ? Number.parseInt(percent ?? json ?? hex ?? '', 16) : Number(decimal)
  return code > 0 && code < 0x11_0000 ? String.fromCodePoint(code) : written
}

/** Null unless it is text, which by chance only few runs are. */
function decodeText(run: string): string | null {
  const isHex = run.length % 2 === 0 && /^[0-9a-f]+$/i.test(run)
  const decoded = Buffer.from(run, isHex ? 'hex' : 'base64').toString('latin1')
  // oxlint-disable-next-line no-control-regex -- bytes that are not text
  return /[^\t\n\r\x20-\x7E]/.test(decoded) ? null : decoded
}

/** Pieces of a word with a digit, joined by line breaks, or as strings of code. */
const pieces =
  /(?<![\w./+=-])[\w./+=-]{4,200}(?![\w./+=-])(?:(?:["'`][ \t]{0,8}\\?(?:\r?\n[ \t]{0,40})?[+.,&]?[ \t]{0,8}(?:\r?\n[ \t]{0,40})?["'`]|\\?\r?\n(?:[ \t>|*#/]{0,20}|[ \t]{0,8}(?:[-+]|\d{1,3}[.)])[ \t]{1,4}))[\w./+=-]{4,200}){1,6}/g
const betweenPieces = /\s*\n[ \t]*(?:[-+]|\d{1,3}[.)])[ \t]+|[^\w./+=-]+(?:[+.,&/][^\w./+=-]*)?/g
/** Pieces on one line that are not plain words, or have the same length. */
const spaced = [
  /(?<!\S)(?![A-Z]?[a-z]+(?!\S))[\w./+=-]{2,200}(?: (?![A-Z]?[a-z]+(?!\S))[\w./+=-]{2,200}){1,8}/g,
  ...[3, 4, 5, 6, 8].map(
    (length) =>
      new RegExp(
        `(?<!\\S)[\\w./+=-]{${length}}(?: [\\w./+=-]{${length}}){3,}(?: [\\w./+=-]{1,${length}})?(?!\\S)`,
        'g',
      ),
  ),
]

/** Finds words that are written in pieces, and joins them. Linear time. */
export function joinPieces(text: string): DecodedRun[] {
  if (!/\d/.test(text)) return []
  return [pieces, ...spaced].flatMap((pattern) =>
    [...text.matchAll(pattern)].flatMap(({ 0: value, index: start }) =>
      /\d/.test(value) ? [{ value, start, decoded: value.replace(betweenPieces, '') }] : [],
    ),
  )
}

const spelled = /(?<![\w-])[\w+/=-]([-., |:/*·]{1,2})(?:[\w+/=.-]\1){14,400}[\w+/=-]/g
const capitals = /(?<![\w-])[A-Z0-9][A-Z0-9_.-]{19,400}(?![\w-])/g
/** With emphasis or elements of HTML within. */
const marked =
  /(?<![\w*~`>])[\w./+=-]{2,200}(?:(?:\*{1,3}|~~|`|<\/?(?:b|i|em|strong|u|s|wbr|span|code|mark|sub|sup) ?\/?>){1,2}[\w./+=-]{2,200}){1,20}/g
const mark = /[*~`]+|<[^<>]*>/g
const hyphened = /(?<![\w-])[\w./+=]{2,40}(?:-[\w./+=]{2,40}){1,40}/g

/** Finds words that are written in capitals, letter by letter, or with hyphens or marks put in. Linear time. */
export function decodeDisguised(text: string): DecodedRun[] {
  const letters = [...text.matchAll(spelled)].map(({ 0: value, 1: between = '', index: start }) => {
    const step = between.length + 1
    return {
      value,
      start,
      decoded: value
        .split('')
        .filter((_, index) => index % step === 0)
        .join(''),
    }
  })
  const hyphens = [...text.matchAll(hyphened)].flatMap(({ 0: value, index: start }) => {
    if (!/\d/.test(value)) return []
    // The first may belong to the key.
    const [first = '', ...rest] = value.split('-')
    return ['', '-'].map((sign) => ({ value, start, decoded: first + sign + rest.join('') }))
  })
  const lowered = [...text.matchAll(capitals)].flatMap(({ 0: value, index: start }) =>
    isDrawnCapitals(value) ? [{ value, start, decoded: value.toLowerCase() }] : [],
  )
  const emphasized = [...text.matchAll(marked)].flatMap(({ 0: value, index: start }) =>
    /\d/.test(value) ? [{ value, start, decoded: value.replace(mark, '') }] : [],
  )
  return [...letters, ...hyphens, ...lowered, ...emphasized]
}

/** The text backwards, by UTF-16 code units. */
export function reverse(text: string): string {
  const bytes = Buffer.from(text, 'utf16le')
  new Uint16Array(bytes.buffer, bytes.byteOffset, text.length).reverse()
  return bytes.toString('utf16le')
}

/**
 * Original position of a part of joined pieces.
 *
 * @param part.from Offset in what the pieces say together; `to` is the one behind its end.
 * @returns Null if it lies within one piece.
 */
export function locateInPieces(
  { value, start }: DecodedRun,
  { from, to }: { from: number; to: number },
): Pick<DecodedRun, 'value' | 'start'> | null {
  const breaks = [...value.matchAll(betweenPieces)]
  let removed = 0
  let [first, last] = [from, to]
  for (const { 0: sign, index } of breaks) {
    if (index - removed <= from) first += sign.length
    if (index - removed < to) last += sign.length
    removed += sign.length
  }
  return last - first === to - from ? null : { value: value.slice(first, last), start: start + first }
}

import { escapePattern } from '../escape-pattern.ts'
import { entropyOf, isCutBefore, isPlaceholder, isRandom } from './is-placeholder.ts'
import { findNamedSecrets } from './named-secrets.ts'
import { ruleCharsMin, type SecretRule, secretRules } from './secret-rules.ts'
import { decodeDisguised, decodeRuns, joinPieces, locateInPieces, reverse } from './decode-runs.ts'
import { hasRun } from './has-run.ts'

/** A key, a token or a password in a text. */
export interface FoundSecret {
  /** For people, with an article: "a token of GitHub". */
  kind: string
  /** The bytes as written, which may be encoded. */
  value: string
  /** Offset in the text. */
  start: number
  /** Made to be shown in pages, such as the publishable key of a shop. */
  isPublishable: boolean
}

/**
 * Finds secrets, except the placeholders of documentation: by the shape that a service gives its keys, by the name, option
 * or id beside them, private keys, and keys of a known shape within base64, percent-encoding, hexadecimal digits, and
 * escapes of JSON, HTML and Markdown, decoded up to twice, or written in pieces, backwards, in capitals or letter by letter.
 *
 * @returns In order, without overlaps. Linear time: about 2 ms for 10 KB. Pure.
 */
export function findSecrets(text: string): FoundSecret[] {
  const plain = [...findPrivateKeys(text), ...findByRules(text, true), ...findNamedSecrets(text)]
  return keepFirst([...plain, ...findEncoded(text), ...findDisguised(text)])
}

/** Everything of a known shape, placeholders included unless they are words, so that nothing recognizable is shown. */
export function findKeyShapes(text: string): FoundSecret[] {
  return keepFirst(findByRules(text, false))
}

/** Of overlapping finds, the one that begins first, and of these the longest. */
function keepFirst(found: readonly FoundSecret[]): FoundSecret[] {
  const ordered = [...found].sort((a, b) => a.start - b.start || b.value.length - a.value.length)
  let end = -1
  return ordered.filter(({ start, value }) => {
    if (start < end) return false
    end = start + value.length
    return true
  })
}

function findByRules(text: string, isStrict: boolean): FoundSecret[] {
  return listRules(text).flatMap(({ kind, pattern, entropyMin, isPublishable }) => {
    return [...text.matchAll(pattern)].flatMap(({ 0: value, index, groups }) => {
      const secret = groups?.['secret'] ?? value
      const rest = text.slice(index + value.length, index + value.length + 3)
      const isBold = rest.startsWith('**') && text.slice(0, index).endsWith('**')
      const isCut = secret.length < 30 && !isBold && isCutBefore(rest)
      const isReal = entropyOf(secret) >= entropyMin && isRandomEnough(secret) && !isPlaceholder(secret) && !isCut
      if (isStrict ? !isReal : isSlug.test(secret)) return []
      return [{ kind, value, start: index, isPublishable: isPublishable || isPublicUse(text, index, value) }]
    })
  })
}

const keywords = [...new Set(secretRules.flatMap((rule) => rule.keywords))].sort((a, b) => b.length - a.length)
/** The longest at each place, because the others at that place are its beginnings. */
const anyKeyword = new RegExp(`(?=(${keywords.map(escapePattern).join('|')}))`, 'g')
const rulesByKeyword = new Map<string, readonly SecretRule[]>()

function findRules(keyword: string): readonly SecretRule[] {
  const known = rulesByKeyword.get(keyword)
  const rules = known ?? secretRules.filter((rule) => rule.keywords.some((one) => keyword.startsWith(one)))
  rulesByKeyword.set(keyword, rules)
  return rules
}

/** The rules for the last text, because masking needs them twice. */
let lastRules: { text: string; rules: readonly SecretRule[] } = { text: '', rules: [] }

/** The rules with a keyword in the text, in one pass: searching for each of the hundreds would take most of the time. */
function listRules(text: string): readonly SecretRule[] {
  if (lastRules.text !== text) lastRules = { text, rules: hasLongWord(text) ? selectRules(text) : [] }
  return lastRules.rules
}

/** Part of every match of a rule; prose has few. */
const hasLongWord = (text: string) => hasRun(text, ruleCharsMin)

function selectRules(text: string): SecretRule[] {
  const found = new Set<string>()
  for (const [, keyword = ''] of text.toLowerCase().matchAll(anyKeyword)) found.add(keyword)
  const rules = new Set([...found].flatMap(findRules))
  return secretRules.filter((rule) => rules.has(rule))
}

/** A prefix says enough of what is not a sentence with hyphens. */
const isRandomEnough = (secret: string) =>
  isRandom(secret) || /^[A-Z2-7]{16}$/.test(secret) || (/\d/.test(secret) && !isSlug.test(secret))

const isSlug = /^[a-z]+(?:[-_][a-z0-9]+)+$/

/** The settings of Firebase in a page, and keys of Supabase for readers without an account. */
function isPublicUse(text: string, start: number, value: string): boolean {
  if (value.startsWith('AIza'))
    return /authDomain|messagingSenderId/.test(text.slice(Math.max(0, start - 300), start + 400))
  if (!value.startsWith('eyJ')) return false
  return /"role":\s?"anon"/.test(Buffer.from(value.split('.')[1] ?? '', 'base64').toString('latin1'))
}

const keyStart = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d/g
const keyCharsMax = 16_000
/** Headers, line ends, also as escapes, and marks of quotes and lists. */
const aroundKey =
  /(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines):[^\n\\]{0,200}|\\{1,4}[nrt]|[\s>|"'`+,]/g

/** A header alone is fine on a page that explains it. */
function findPrivateKeys(text: string): FoundSecret[] {
  if (!text.includes('PRIVATE KEY') && !text.includes('PuTTY')) return []
  return [...text.matchAll(keyStart)].flatMap(({ 0: header, index }) => {
    const rest = text.slice(index + header.length, index + keyCharsMax).split('-----', 1)[0] ?? ''
    const [body = ''] = /^[A-Za-z0-9+/=]*/.exec(rest.replace(aroundKey, '')) ?? []
    if (body.length < 40 || new Set(body).size < 12) return []
    const value = text.slice(index, index + header.length + lengthOfKey(rest))
    return [{ kind: 'a private key', value, start: index, isPublishable: false }]
  })
}

/** How far a key goes, without the prose after one that breaks off. */
function lengthOfKey(rest: string): number {
  const [lines = ''] =
    /^(?:(?:\s|\\{1,4}[nrt]|[>|"'`+,]){0,20}(?:[\w-]{1,20}:[^\n\\]{0,200}|[A-Za-z0-9+/=]{20,}))*(?:(?:\s|\\{1,4}[nrt]){0,20}[A-Za-z0-9+/=]{1,76}$)?/.exec(
      rest,
    ) ?? []
  return lines.length
}

function findDisguised(text: string): FoundSecret[] {
  const runs = decodeDisguised(text)
  const inRuns = runs.flatMap(({ value, start, decoded }) => {
    const [found] = findByRules(decoded, true)
    return found === undefined ? [] : [{ ...found, value, start }]
  })
  const reversed = hasLongWord(text) ? reverse(text) : ''
  const backwards = findByRules(reversed, true).map((found) => {
    const start = text.length - found.start - found.value.length
    return { ...found, value: text.slice(start, start + found.value.length), start }
  })
  return [...inRuns, ...backwards]
}

const decodingsMax = 2

/** What is encoded, also twice, or written in pieces. Pieces have no names beside them. */
function findEncoded(text: string, decodingsLeft = decodingsMax): FoundSecret[] {
  if (decodingsLeft === 0) return []
  const decoded = decodeRuns(text).flatMap(({ start, value, decoded: inside }) => {
    const plain = [...findPrivateKeys(inside), ...findByRules(inside, true), ...findNamedSecrets(inside)]
    const found = plain[0] ?? findEncoded(inside, decodingsLeft - 1)[0]
    return found === undefined ? [] : [{ ...found, value, start }]
  })
  const joined = joinPieces(text).flatMap((run) =>
    findByRules(run.decoded, true).flatMap((found) => {
      const written = locateInPieces(run, { from: found.start, to: found.start + found.value.length })
      // A key that is whole without the next line ends with its own.
      const isWhole = written !== null && findByRules(written.value, true).length > 0
      return written === null || isWhole ? [] : [{ ...found, ...written }]
    }),
  )
  return [...decoded, ...joined]
}

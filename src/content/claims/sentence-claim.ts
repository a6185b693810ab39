import { type ClaimKey, keyOfPhrase, readClaimKey } from './claim-key.ts'
import { defaultCue, isBound, readOmission } from './claim-cues.ts'
import { type ClaimValue, readClaimValue } from './claim-value.ts'
import { listMarks, type MaskedText } from './masked-text.ts'

export interface SentenceClaim {
  key: ClaimKey
  attribute: 'default' | 'maximum' | 'minimum' | 'requires'
  value: ClaimValue
}

/** A value as written in a sentence. */
interface Candidate {
  value: ClaimValue
  /** Number of its mark; null for a value in plain words. */
  index: number | null
  start: number
  end: number
}

const plainValue =
  /(?<![\w⟦.-])(?:true|false|enabled|disabled|on|off|[-+]?\d[\d,_]*(?:\.\d+)?(?:\s?%|[ -]?[a-z]{1,12}\b)?|(?:one|two|three|four|five|six|seven|eight|nine|ten) [a-z]{3,12}\b|(?<=\bdefaults?\b[^.]{0,60}(?: is| to| of|:) )(?=[\w./:-]*(?:[\d_/]|[.-]\w))[\w./:-]*\w(?=[.)\]]*$))(?![\w⟧])/gi
const linkBefore =
  /(?:\b(?:after|every|for|last|to|is|are|of|as|at|with|be|equals?|uses?|using|values?|defaults?|assum\w+|gets?|gives?|yields?|takes?|means?|keeps?|sets?|applies|becomes|has|have|set|on|picks?|chooses|selects?|considered|treated|results? in|you|remains?|stays?|will|initially|then|falls back)|[=:(,;–—→|-])\s*(?:\b(?:the|a|an)\s+)?(?:value\s+|value of\s+)?$/i
const linkAfter =
  /^\s*(?:\)|is\b|are\b|will\b|appl(?:y|ies)\b|by default|gets?\b|being\b|takes? effect|unless\b|initially|out of the box|as (?:the|its|a)\b|;|\((?:the )?default\))/i
const keyBefore = /\b(?:for|of|in|to)\s+(?:the\s+)?(?:option\s+|setting\s+|variable\s+|parameter\s+)?$/i
const directly =
  /\bdefaults?(?:\s+(?:value|setting))?(?:\s+(?:to|of|is|are|being|set to|as))?\s*[:=(–—→-]*\s*(?:the\s+|a\s+value\s+of\s+)?$/i

/** @param context The option that the list item, field or section is about. */
export function readSentenceClaim(sentence: MaskedText, context: ClaimKey | null): SentenceClaim | null {
  const omission = readOmission(sentence)
  if (!omission.hasOmission && !defaultCue.test(sentence.text)) return null
  const rest = { text: omission.rest, spans: sentence.spans }
  const told = readToldLater(sentence) ?? readItsDefault(sentence)
  if (told !== null) return told
  const pair = splitAssignment(rest) ?? choosePair(rest, omission.omitted, context)
  if (pair === null || pair.key.id === pair.value.id) return null
  if (countStrangeWords(rest, pair) > strangeWordsMax) return null
  const after = rest.text.slice(pair.end).replace(/^\s*(?:for|of|as|in)\s+(?:the\s+)?⟦\d+⟧/i, '')
  return isBound(rest.text.slice(0, pair.start), after)
    ? null
    : { key: pair.key, attribute: 'default', value: pair.value }
}

/** What comes by default, then the option that changes it: "Entries live for 10 minutes by default; change it with ⟦0⟧." */
const toldLater =
  /^([^;:()]{1,160}\b(?:by default|out of the box)\b)(?:\s*\((?:see |set by )?⟦(\d+)⟧(?: option| setting)?\)|(?:[;,.]|\s[–—-])\s*(?:and |but )?(?:you (?:can|may) )?(?:use|set|see|pass|change|adjust|override|raise|lower|configure)\b[^⟦;]{0,40}⟦(\d+)⟧[^⟦;.]{0,60})\.?$/i

export function readToldLater({ text, spans }: MaskedText): SentenceClaim | null {
  const [, first = '', aside, later] = toldLater.exec(text) ?? []
  const key = readClaimKey(spans[Number(aside ?? later ?? -1)] ?? '')
  if (first === '' || key === null) return null
  const said = { text: first, spans }
  const value = chooseValue(said, listCandidates(said, listMarks(said)), new Set())
  if (value === null) return null
  const before = first.slice(0, value.start).replace(/\b(?:after|for|every)\s+$/i, '')
  return isBound(before, first.slice(value.end)) ? null : { key, attribute: 'default', value: value.value }
}

/** A sentence about an option that ends with its default: "Pass ⟦0⟧ to raise the number from its default of 8." */
const itsDefault =
  /^[^;:()]{0,160}?(?:⟦(\d+)⟧[^⟦;:()]{0,160}?\b(?:from|instead of|beyond|above|below) its default(?: value)?(?: of)?|\b(?:with|at|keeps?|given) the default ⟦(\d+)⟧(?: value)? of)\s+(⟦\d+⟧|[\w/-]+(?:\.\w+)*(?: [a-z]+)?)(?=[.,]|$)/i

function readItsDefault({ text, spans }: MaskedText): SentenceClaim | null {
  const match = itsDefault.exec(text)
  const [, first, second, written = ''] = match ?? []
  const key = readClaimKey(spans[Number(first ?? second ?? -1)] ?? '')
  const plain = written.replace(/⟦(\d+)⟧/, (_, index: string) => spans[Number(index)] ?? '')
  const value = readClaimValue(plain) ?? readClaimValue(plain.split(' ')[0] ?? '')
  const said = match?.[0].slice(0, -written.length).replace(/\bto (?:change|raise|lower|increase|reduce)\b/gi, '') ?? ''
  if (
    key === null ||
    value === null ||
    isBound(said.replace(/^(?:pass|use|set|with) /i, ''), text.slice(match?.[0].length))
  )
    return null
  return { key, attribute: 'default', value }
}

const strangeWordsMax = 3
const linkingWord =
  /^(?:a|an|and|are|as|at|back|be|being|by|default|defaults|either|equal|equals|falls|field|flag|for|from|gets|has|have|having|initially|in|is|it|its|of|on|option|optional|out|parameter|property|same|set|setting|starts|taken|that|the|then|this|to|uses|value|variable|which|will|with)$/i

/** Words between an option and its value that say something else: "⟦0⟧ uses POST requests to send messages to ⟦1⟧". */
function countStrangeWords({ text, spans }: MaskedText, { key, start }: Pair): number {
  const before = text.slice(0, start)
  const named = before.lastIndexOf(`⟦${spans.findIndex((span) => readClaimKey(span)?.id === key.id)}⟧`)
  const words = before.slice(Math.max(0, named)).match(/[a-z]+/gi) ?? []
  return words.filter((word) => !linkingWord.test(word)).length
}

interface Pair {
  key: ClaimKey
  value: ClaimValue
  start: number
  end: number
}

/** `timeout=30` in one code span. */
function splitAssignment(sentence: MaskedText): Pair | null {
  const marks = listMarks(sentence)
  const [, left = '', right = ''] =
    /^([^=:\s]{2,100})(?:=|:\s)\s*([^=\s].*)$/.exec(sentence.spans[marks[0] ?? -1] ?? '') ?? []
  const [key, value] = [readClaimKey(left), readClaimValue(right)]
  if (marks.length !== 1 || key === null || value === null || (/^[a-z]+$/.test(left) && right.startsWith('//')))
    return null
  const start = sentence.text.indexOf('⟦')
  return { key, value, start, end: sentence.text.indexOf('⟧') + 1 }
}

function choosePair(sentence: MaskedText, omitted: number | null, context: ClaimKey | null): Pair | null {
  const marks = listMarks(sentence)
  const candidates = listCandidates(sentence, marks)
  const named = (index: number | undefined) => readClaimKey(sentence.spans[index ?? -1] ?? '')
  if (omitted !== null) {
    const key = named(omitted)
    const others = marks.filter((index) => sentence.spans[index] !== sentence.spans[omitted])
    const value =
      others.length > 1 ? null : chooseValue(sentence, candidates, new Set([omitted, ...sameSpans(sentence, omitted)]))
    return key === null || value === null ? null : { key, ...value }
  }
  if (marks.length > 2) return chooseAmongMany(sentence, marks, candidates)
  const keyMark = chooseKeyMark(sentence, marks, context)
  if (keyMark === null && context !== null && !aboutContext.test(sentence.text)) return null
  const key = keyMark === null ? (context ?? readPhrase(sentence, candidates)) : named(keyMark)
  const value = chooseValue(sentence, candidates, keyMark === null ? new Set() : sameSpans(sentence, keyMark))
  return key === null || value === null ? null : { key, ...value }
}

function sameSpans({ spans }: MaskedText, index: number): Set<number> {
  return new Set(spans.keys().filter((other) => spans[other] === spans[index]))
}

function listCandidates({ text, spans }: MaskedText, marks: readonly number[]): Candidate[] {
  const found: Candidate[] = []
  for (const index of marks) {
    const value = readClaimValue(spans[index] ?? '')
    const token = `⟦${index}⟧`
    const start = text.indexOf(token)
    if (value !== null) found.push({ value, index, start, end: start + token.length })
  }
  for (const { 0: word, index: start } of text.matchAll(plainValue)) {
    if (/^(?:on|off)$/i.test(word) && !isSwitch(text, start, word)) continue
    const whole = readClaimValue(word)
    const digits = /^[\d.,_+-]+/.exec(word)?.[0] ?? ''
    const value = whole ?? readClaimValue(digits)
    if (value !== null) found.push({ value, index: null, start, end: start + (whole === null ? digits : word).length })
  }
  return found
}

/** `on` is a value in "is on by default", not in "on Windows". */
function isSwitch(text: string, start: number, word: string): boolean {
  return (
    /\b(?:is|are|turned|switched|to|be)\s*$/i.test(text.slice(0, start)) &&
    /^\s*(?:by|[.;,]|$)/i.test(text.slice(start + word.length))
  )
}

/** The only value that the sentence links to, or the one right behind the word "default". */
function chooseValue({ text, spans }: MaskedText, candidates: readonly Candidate[], taken: ReadonlySet<number>) {
  const free = candidates.filter(({ index }) => index === null || !taken.has(index))
  const isDirect = ({ start }: Candidate) => directly.test(text.slice(Math.max(0, start - 60), start))
  const linked = free.filter(({ start, end }) => {
    return linkBefore.test(text.slice(Math.max(0, start - 40), start)) || linkAfter.test(text.slice(end, end + 40))
  })
  const direct = linked.filter(isDirect)
  const chosen = direct.length === 1 ? direct : linked
  const distinct = new Set(chosen.map(({ value }) => value.id))
  const [first] = chosen
  if (first === undefined || distinct.size > 1) return null
  const foreign = spans.some(
    (span, index) => !taken.has(index) && index !== first.index && text.includes(`⟦${index}⟧`) && span !== '',
  )
  return foreign && direct.length !== 1 ? null : first
}

/** A sentence without a subject of its own. */
const aboutContext =
  /^(?:\W*(?:(?:by default|out of the box|initially|if [^,]{1,60}|when [^,]{1,60}|unless [^,]{1,60}|without [^,]{1,60}),? )?(?:it|this|its value|the (?:value|option|setting|default|field|parameter|flag))\b|\W*(?:the |a )?(?:defaults?|defaulting)\b|\W*(?:enabled|disabled|on|off|true|false|\d[\d.,]*|⟦\d+⟧)[^.]{0,40}(?:by default|default|used|assumed|applies)|\W*(?:if|when|unless|without|omit\w*)\b[^,]{1,60},? (?:⟦|\d|true|false|defaults?))/i

/** Null: the sentence names no option itself. */
function chooseKeyMark({ text, spans }: MaskedText, marks: readonly number[], context: ClaimKey | null): number | null {
  const [first, second] = marks
  if (first === undefined) return null
  const isKey = (index: number) => readClaimKey(spans[index] ?? '') !== null
  const isValue = (index: number) => readClaimValue(spans[index] ?? '') !== null
  if (second === undefined) {
    const isContext = context !== null && readClaimKey(spans[first] ?? '')?.id === context.id
    return isKey(first) && (context === null || isContext) ? first : null
  }
  if (!isKey(first) || !isValue(second)) return isKey(second) && isValue(first) ? second : null
  if (!isKey(second) || !isValue(first)) return first
  const isSecond =
    keyBefore.test(text.slice(0, text.indexOf(`⟦${second}⟧`))) &&
    !keyBefore.test(text.slice(0, text.indexOf(`⟦${first}⟧`)))
  const isValueOf =
    /\bto\s+(?:the\s+)?$|\bdefault\s+⟦\d+⟧\s+of\s+$|⟧[^⟦]*\b(?:has|have|having|with|carries|gets)\b[^⟦]*\bof\s+$/i.test(
      text.slice(0, text.indexOf(`⟦${second}⟧`)),
    )
  return isSecond && !isValueOf ? second : first
}

/** Two neighbours with the word "default" between them. */
function chooseAmongMany(
  sentence: MaskedText,
  marks: readonly number[],
  candidates: readonly Candidate[],
): Pair | null {
  const { text, spans } = sentence
  const pairs = marks.slice(1).flatMap((second, position) => {
    const first = marks[position] ?? 0
    const between = text.slice(text.indexOf(`⟦${first}⟧`), text.indexOf(`⟦${second}⟧`))
    const key = readClaimKey(spans[first] ?? '')
    const candidate = candidates.find(({ index }) => index === second)
    const isPair = key !== null && candidate !== undefined && directly.test(between)
    return isPair ? [{ key, ...candidate }] : []
  })
  return pairs.length === 1 ? (pairs[0] ?? null) : null
}

const phrase =
  /\b(?:the )?default (?:value (?:of|for) )?(?:the )?([a-z][a-z -]{3,40}?) (?:is|are|of)\s*$|\b(?:the|its) ([a-z][a-z -]{3,40}?) defaults to\s*$/i

/** An option that is named by plain words: "the default upload size is 10 MB". */
function readPhrase({ text }: MaskedText, candidates: readonly Candidate[]): ClaimKey | null {
  for (const { start } of candidates) {
    const [, noun, subject] = phrase.exec(text.slice(Math.max(0, start - 80), start)) ?? []
    const key = keyOfPhrase(noun ?? subject ?? '')
    if (key !== null) return key
  }
  return null
}

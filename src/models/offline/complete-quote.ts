import type { Quote } from './list-quotes.ts'
import { askedHeadingFit, type ScoredPart } from './score-parts.ts'

/** A passage or section up to this length is quoted whole: its parts explain each other, unlike the rows of a long table. */
const wholes = { passageCharsMax: 1_000, sectionCharsMax: 1_900, sectionWithTableCharsMax: 1_500 }
/** Longest beginning of a section that is quoted before the part that was chosen. */
const beforeCharsMax = 800
/** Longest steps or rows before the quoted one of the same block. */
const earlierCharsMax = 1_500
/** Longest list, table or code that is quoted with the sentence that announces it. */
const announcedCharsMax = 2_500
/** A list or table up to this length is quoted whole, whichever of its parts was chosen. */
const listCharsMax = 700
/** How often a quote may be continued by what it announces. */
const continuedMax = 3

/** Sections of a page about an operation of an API, which say nothing that a question about the operation asks. */
const referenceHeading = /^(?:authorization|(?:path|query|header|cookie) parameters|(?:request )?body|responses?)\b/i

const announces = /[:：][*_)"”]*$/
/** A paragraph with a later step. */
const comesLater = /^\W*(?:then|next|after (?:that|this)|afterwards|finally|and)\b/i

/**
 * Adds what makes a quote self-contained: the rest of a short passage or section, or what comes before it in a longer
 * one; the list or code that its last sentence announces, the other steps of a list.
 *
 * @param own All parts of the passage, in order.
 * @param wholeCharsMax Of passages and sections that are quoted whole, if less than usual.
 */
export function completeQuote(quote: Quote, own: readonly ScoredPart[], wholeCharsMax = Infinity): Quote {
  const section = takeSection(quote, own)
  const isShort = (parts: readonly ScoredPart[], charsMax: number) =>
    countChars(parts) <= Math.min(charsMax, wholeCharsMax)
  const short = isShort(section, hasLongList(section) ? wholes.sectionWithTableCharsMax : wholes.sectionCharsMax)
    ? section
    : null
  const isAskedSection = quote.parts.some(({ headingFit }) => headingFit >= askedHeadingFit)
  const isWholeMeant = !isAskedSection && !own.some(({ part }) => referenceHeading.test(part.headings.at(-1) ?? ''))
  const whole = isWholeMeant && isShort(own, wholes.passageCharsMax) ? own : short
  const parts = new Set(
    whole ?? [...takeBefore(quote.parts[0], section, own), ...quote.parts, ...takeLists(quote.parts, own)],
  )
  for (let round = 0; round < continuedMax; round++) {
    const next = findContinuation(sortParts(parts).at(-1), own)
    if (next.length === 0) break
    for (const part of next) parts.add(part)
  }
  return { ...quote, parts: sortParts(parts) }
}

/** The section up to the quote, unless that is long. Other settings do not explain one. */
function takeBefore(
  first: ScoredPart | undefined,
  section: readonly ScoredPart[],
  own: readonly ScoredPart[],
): readonly ScoredPart[] {
  const isExplaining = ({ index, part }: ScoredPart) => index < (first?.index ?? 0) && part.kind !== 'setting'
  const before = section.filter(isExplaining)
  return countChars(before) <= beforeCharsMax ? before : takeEarlierSteps(first, own)
}

function sortParts(parts: Iterable<ScoredPart>): ScoredPart[] {
  return [...parts].toSorted((a, b) => a.index - b.index)
}

export function countChars(parts: readonly ScoredPart[]): number {
  return parts.reduce((sum, { part }) => sum + part.text.length, 0)
}

/** All parts around the quote under the same heading. */
function takeSection({ parts }: Quote, own: readonly ScoredPart[]): ScoredPart[] {
  const first = parts[0]
  if (first === undefined) return []
  let start = first.index
  let end = first.index
  while (start > 0 && isSameSection(own[start - 1], first)) start--
  while (isSameSection(own[end + 1], first)) end++
  const section = own.slice(start, end + 1)
  return parts.every((part) => section.includes(part)) ? section : [...parts]
}

function isSameSection(one: ScoredPart | undefined, other: ScoredPart): boolean {
  return one !== undefined && one.part.headings.join('\n') === other.part.headings.join('\n')
}

function hasLongList(parts: readonly ScoredPart[]): boolean {
  const lists = Map.groupBy(
    parts.filter(({ part }) => part.kind === 'row' || (part.kind === 'item' && !part.isOrdered)),
    blockOf,
  )
  return lists.values().some((members) => countChars(members) > listCharsMax)
}

/** Every quoted list or table, whole if it is short or consists of steps, with the sentence that announces it. */
function takeLists(parts: readonly ScoredPart[], own: readonly ScoredPart[]): ScoredPart[] {
  const blocks = new Set(parts.filter(({ part }) => part.kind === 'item' || part.kind === 'row').map(blockOf))
  return [...blocks].flatMap((block) => {
    const members = own.filter((part) => blockOf(part) === block)
    const charsMax = members[0]?.part.isOrdered === true ? announcedCharsMax : listCharsMax
    return countChars(members) <= charsMax ? members : []
  })
}

/** The steps before a paragraph that begins with a word such as `then`, unless they are long. */
function takeEarlierSteps(first: ScoredPart | undefined, own: readonly ScoredPart[]): readonly ScoredPart[] {
  if (first === undefined) return []
  let start = findBlockStart(first, own)
  for (let before = own[start - 1]; before && isSameSection(before, first); before = own[start - 1]) {
    if (!comesLater.test(own[start]?.part.text ?? '')) break
    start = findBlockStart(own[before.part.lead] ?? before, own)
  }
  const earlier = own.slice(start, first.index)
  return countChars(earlier) <= earlierCharsMax ? earlier : []
}

function findBlockStart(part: ScoredPart, own: readonly ScoredPart[]): number {
  return own.findIndex((other) => blockOf(other) === blockOf(part))
}

const blockOf = ({ part }: ScoredPart): number => part.block

/** The beginnings of the sections that a sentence announces; each is quoted under its heading. */
function takeAnnouncedSections({ index, part }: ScoredPart, own: readonly ScoredPart[]): readonly ScoredPart[] {
  const depth = part.headings.length
  const below = own.slice(index + 1)
  const end = below.findIndex(({ part: { headings } }) => headings[depth - 1] !== part.headings[depth - 1])
  const sections = Map.groupBy(end === -1 ? below : below.slice(0, end), (scored) => scored.part.headings[depth])
  const firsts = [...sections.values()].flatMap((section) => section.slice(0, 1))
  return countChars(firsts) <= announcedCharsMax ? firsts : []
}

function findContinuation(last: ScoredPart | undefined, own: readonly ScoredPart[]): readonly ScoredPart[] {
  const next = last === undefined ? undefined : own[last.index + 1]
  if (last === undefined || next === undefined) return []
  if (!isSameSection(next, last)) return announces.test(last.part.text) ? takeAnnouncedSections(last, own) : []
  const block = own.filter((part) => blockOf(part) === blockOf(next))
  const rest = block.filter(({ index }) => index > last.index)
  if (blockOf(next) === blockOf(last)) return []
  if (announces.test(last.part.text)) return countChars(rest) <= announcedCharsMax ? rest : rest.slice(0, 1)
  const isShown = next.part.kind === 'code' && last.part.kind === 'sentence'
  return isShown && countChars(rest) <= announcedCharsMax ? rest : []
}

import type { Question } from './read-question.ts'
import type { QuestionWeights, ReadPassage, ScoredPart } from './score-parts.ts'

/** Parts of one passage that are quoted together, in order. */
export interface Quote {
  passage: number
  parts: ScoredPart[]
  score: number
}

interface QuoteInput {
  passage: number
  parts: ScoredPart[]
  /** Added to the form score of the parts. */
  bonus: number
  /** The part it was chosen for, if the others only explain it. */
  about?: ScoredPart
}

/** A paragraph up to this length is quoted whole: its sentences depend on each other. */
const paragraphCharsMax = 450
/** Longest list or table that is quoted whole. */
const wholePartsMax = 15
/** Longer ones are not quoted: an answer is not a page. */
const partCharsMax = 4_000

/** All candidate quotes: single parts with their context, whole lists and tables, code with its introduction. */
export function listQuotes(
  question: Question,
  passages: readonly ReadPassage[],
  parts: readonly ScoredPart[],
  weights: QuestionWeights,
): Quote[] {
  const byPassage = Map.groupBy(parts, ({ passage }) => passage)
  return passages.flatMap((_, passage) => {
    const own = byPassage.get(passage) ?? []
    const inputs = [
      ...own.flatMap((scored) => quoteOne(question, passage, own, scored)),
      ...listWholes(question, passage, own),
      ...listIntroduced(question, passage, own),
    ]
    return inputs.map((input) => scoreQuote(input, weights))
  })
}

function scoreQuote({ passage, parts, bonus, about }: QuoteInput, weights: QuestionWeights): Quote {
  const union = weights.cover(parts)
  // Words in different rows of a table do not answer a question together.
  const telling = about?.base ?? Math.max(...parts.map(({ base }) => base))
  const base = 0.7 * telling + 0.3 * union
  const shape = Math.max(...(about === undefined ? parts : [about]).map((scored) => scored.shape)) + bonus
  const prior = parts[0]?.prior ?? 0
  return { passage, parts, score: base <= 0 ? 0 : base + prior + shape * Math.min(1, base * 1.5) }
}

function quoteOne(question: Question, passage: number, own: readonly ScoredPart[], scored: ScoredPart): QuoteInput[] {
  if (scored.part.text.length > partCharsMax) return []
  if (scored.part.kind === 'code' && !wantsCode(question)) return []
  const lead = scored.part.kind === 'row' ? undefined : own[scored.part.lead]
  const parts = lead === undefined ? takeParagraph(own, scored) : [...takeParagraph(own, lead), scored]
  return [{ passage, parts, bonus: lead === undefined ? 0 : 0.05, about: scored }]
}

/** A sentence in context: the whole paragraph if it is short, else the sentence and what it refers back to. */
function takeParagraph(own: readonly ScoredPart[], scored: ScoredPart): ScoredPart[] {
  if (scored.part.kind !== 'sentence') return [scored]
  const paragraph = own.filter(({ part }) => part.block === scored.part.block)
  const chars = paragraph.reduce((sum, { part }) => sum + part.text.length, 0)
  if (chars <= paragraphCharsMax) return paragraph
  const previous = own[scored.index - 1]
  return pointsBack.test(scored.part.text) && previous?.part.block === scored.part.block ? [previous, scored] : [scored]
}

const pointsBack = /^\W*(?:it|its|this|that|these|those|they|such|then|otherwise|instead)\b/i

function listWholes({ kind }: Question, passage: number, own: readonly ScoredPart[]): QuoteInput[] {
  const blocks = Map.groupBy(
    own.filter(({ part }) => part.kind === 'item' || part.kind === 'row'),
    ({ part }) => part.block,
  )
  return [...blocks.values()].flatMap((members) => {
    const first = members[0]
    if (first === undefined || members.length < 2 || members.length > wholePartsMax) return []
    if (members.reduce((chars, { part }) => chars + part.text.length, 0) > partCharsMax) return []
    const lead = own[first.part.lead]
    const parts = lead === undefined ? members : [...takeParagraph(own, lead), ...members]
    return [{ passage, parts, bonus: rateWhole(kind, members, lead) }]
  })
}

/**
 * Steps answer "how"; a list answers "which", best under a heading that asks the same. Other lists must be introduced
 * as an answer, or have several matching items.
 */
function rateWhole(kind: Question['kind'], members: readonly ScoredPart[], lead: ScoredPart | undefined): number {
  if (kind === 'procedure' && members[0]?.part.isOrdered === true) return 0.2
  if (kind === 'list') return 0.2 + 0.2 * Math.max(...members.map(({ headingFit }) => headingFit))
  const best = Math.max(...members.map(({ base }) => base))
  if (lead !== undefined && lead.base >= best) return 0.05
  const bestOwn = Math.max(...members.map(({ ownShare }) => ownShare))
  return bestOwn > 0.3 && members.filter(({ ownShare }) => ownShare > 0.6 * bestOwn).length > 2 ? 0 : -0.3
}

/** Code with the sentence before it, which says what it is for. */
function listIntroduced(question: Question, passage: number, own: readonly ScoredPart[]): QuoteInput[] {
  return own.flatMap((code) => {
    const lead = own[code.part.lead] ?? own[code.index - 1]
    if (code.part.kind !== 'code' || code.part.text.length > partCharsMax || lead?.part.kind !== 'sentence') return []
    if (lead.part.headings.at(-1) !== code.part.headings.at(-1)) return []
    const parts = [...takeParagraph(own, lead), code]
    return [{ passage, parts, bonus: wantsCode(question) ? 0.15 : -0.1 }]
  })
}

function wantsCode({ kind, words }: Question): boolean {
  return kind === 'procedure' || kind === 'example' || words.some(({ wholes }) => wholes.length > 0)
}

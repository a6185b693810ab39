import type { Quote } from './list-quotes.ts'
import type { AskedWord, Question } from './read-question.ts'
import { hasAmount, type ScoredPart } from './score-parts.ts'

/** A word counts as contained from this on. */
const heldMin = 0.5
/** Yes or no can be said in other words, but for one in this many. */
const yesNoWords = 4

const limitAsked = /\b(?:max(?:imum)?|min(?:imum)?|largest|smallest|longest|shortest|highest|lowest|biggest)\b/i
const limitSaid =
  /\b(?:max|min|limit|cap(?:s|ped)?\b|quota|at (?:most|least)|up to|no more|more than|less than|fewer|longer|shorter|larger|smaller|higher|lower|exceed|bound|between|or (?:more|less|newer|later|higher|above)|allow|within|requires?\b|every|per\b)|[<>≤≥]|_MAX|Max\b|MAX/i
const priceAsked = /\b(?:costs?|prices?|pricing|fees?|how much (?:is|are|do i pay|must i pay))\b/i
const priceSaid =
  /[$€£¥]\s?\d|\d\s?(?:USD|EUR|GBP|dollars?|euros?|credits?)\b|\b(?:free\b|pric|fees?\b|costs?\b|charg|bill|paid\b|pays?\b)/i
const whoAsked = /^\s*who(?:se|m)?\b/i
const whoSaid =
  /\b(?:by|authors?|maintain\w*|found(?:ers?|ed by)|creators?|teams?|compan(?:y|ies)|person|people|users?|admins?|administrators?|owners?|members?|editors?|readers?|viewers?|guests?|roles?|anyone|everyone|nobody|developers?|you)\b/i
const yesNoAsked = /^\s*(?:can|could|may|do|does|did|is|are|will|would|should|must|has|have)\b/i
/** “Which file extension should …”, “what version of PostgreSQL is …”. */
const nounAsked =
  /^\s*(?:and )?(?:which|what) ((?:[\p{L}\p{N}-]+ ){1,4}?)(?:do|does|did|is|are|was|were|can|should|must|may|will|would|has|have|needs?)\b/iu
const prepositions = /\s(?:of|for|in|on|with|to|from)\s.*/

/**
 * Whether the best quote contains what this form of question asks for: a limit for “what is the maximum …?”, a price, a person
 * for “who …?”, the thing itself for “which ports …?”. Pages that do not say it contain all other words of the question.
 *
 * @param held How strongly the quote contains each word.
 */
export function holdsForm(question: Question, quote: Quote | undefined, held: readonly number[]): boolean {
  const parts = quote?.parts ?? []
  const { text, kind, words } = question
  if (words.some(({ isPasted }) => isPasted)) return true
  if (whoAsked.test(text)) return parts.some((scored) => whoSaid.test(scored.part.text) && holdsShare(scored, words, 1))
  if (kind === 'amount' && priceAsked.test(text)) return parts.some(({ part }) => priceSaid.test(part.text))
  if (kind === 'amount' && limitAsked.test(text)) return parts.some((scored) => saysLimit(scored, words))
  if (yesNoAsked.test(text)) return holdsMost(words, held)
  return holdsAskedNoun(question, parts, held)
}

/** A limit, its value and what it limits are close together, in prose rather than in code. */
function saysLimit(scored: ScoredPart, words: readonly AskedWord[]): boolean {
  const { part } = scored
  if (part.kind === 'code' || !(hasAmount(part.text) || /\bno\b/i.test(part.text))) return false
  if (!limitSaid.test([part.text, part.tableHead, ...part.headings].join('\n'))) return false
  return holdsShare(scored, words, 0.5)
}

/** Whether one part, with its heading, contains this share of the telling words. */
function holdsShare({ own, heading }: ScoredPart, words: readonly AskedWord[], shareMin: number): boolean {
  const telling = words.flatMap(({ weight }, word) =>
    weight === 1 ? [Math.max(own[word] ?? 0, heading[word] ?? 0)] : [],
  )
  return telling.filter((value) => value >= heldMin).length >= shareMin * telling.length
}

function holdsMost(words: readonly AskedWord[], held: readonly number[]): boolean {
  const telling = words.flatMap(({ weight }, word) => (weight === 1 ? [held[word] ?? 0] : []))
  const lacking = telling.filter((value) => value < heldMin).length
  return lacking <= Math.max(1, Math.floor(telling.length / yesNoWords))
}

function holdsAskedNoun({ text, words }: Question, parts: readonly ScoredPart[], held: readonly number[]): boolean {
  const phrase = nounAsked.exec(text)?.[1]?.trim().replace(prepositions, '') ?? ''
  const noun = phrase.split(' ').at(-1)?.toLowerCase() ?? ''
  const index = words.findIndex(({ surface, weight }) => weight === 1 && surface.toLowerCase() === noun)
  if (index === -1 || (held[index] ?? 0) >= heldMin) return true
  // "Node 22" names a version without the word.
  return (
    /^(?:version|release)s?$/.test(noun) && words.some(({ isName, surface }) => isName && isReleased(surface, parts))
  )
}

function isReleased(name: string, parts: readonly ScoredPart[]): boolean {
  return parts.some(({ part }) => {
    const at = part.text.toLowerCase().indexOf(name.toLowerCase())
    return at !== -1 && /^\D{0,12}\d/.test(part.text.slice(at + name.length))
  })
}

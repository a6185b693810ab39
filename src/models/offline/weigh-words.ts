import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import { z } from 'zod'
import type { AskedWord } from './read-question.ts'

/** How many passages of the whole site contain each term of the question. */
const termCountsSchema = z.object({
  passages: z.number().int().min(0),
  counts: z.record(z.string(), z.number().int().min(0)),
  meant: z.record(z.string(), z.array(z.string())),
})

export type TermCounts = z.output<typeof termCountsSchema>

/** Reads the counts that the assistant sends with a search result; null if there are none. */
export function readTermCounts({ providerOptions }: LanguageModelV4ToolResultPart): TermCounts | null {
  const parsed = termCountsSchema.safeParse(providerOptions?.['docent']?.['termCounts'])
  return parsed.success ? parsed.data : null
}

/** Words such as `constructor` are properties of any object. */
interface ReadCounts {
  passages: number
  counts: ReadonlyMap<string, number>
  meant: ReadonlyMap<string, readonly string[]>
}

/** A smaller site may simply use other words for a missing term. */
const tellingPassages = 100
/** Weight of a word that every passage contains: an answer must still be about it. */
const rarityMin = 0.15

/**
 * Adds to every word its rarity on the whole site, and to a misspelled one the word that was meant. Without counts,
 * words are unchanged. Of a pasted error, only what the site knows counts.
 */
export function weighWords(words: readonly AskedWord[], termCounts: TermCounts | null): AskedWord[] {
  if (termCounts === null) return [...words]
  const counts = new Map(Object.entries(termCounts.counts))
  const read = { passages: termCounts.passages, counts, meant: new Map(Object.entries(termCounts.meant)) }
  const weighed = words.map((word) => weighWord(word, read))
  return weighed.filter(({ isPasted, isAbsent }) => !isPasted || !isAbsent)
}

function weighWord(word: AskedWord, { passages, counts, meant }: ReadCounts): AskedWord {
  const terms = [...word.wholes, ...word.parts]
  if (terms.some((term) => !counts.has(term))) return word
  const mend = (some: readonly string[]) => some.flatMap((term) => meant.get(term) ?? [term])
  const [wholes, parts] = [mend(word.wholes), mend(word.parts)]
  const wholeCount = Math.max(0, ...word.wholes.map((whole) => counts.get(whole) ?? 0))
  // The parts of an unknown compound occur on pages about something else: `watermark` is neither water nor a mark.
  const isMended = (word.wholes.length > 0 ? word.wholes : word.parts).some((term) => meant.get(term)?.length === 1)
  // The parts of a compound name occur on many pages about something else, as `word` and `press` do.
  const isCompoundName = word.isName && word.wholes.length > 0
  const isAbsent = !isMended && wholeCount === 0 && (isCompoundName || parts.some((part) => counts.get(part) === 0))
  const rarest = wholeCount > 0 || isCompoundName ? [wholeCount] : parts.map((part) => counts.get(part) ?? 1)
  const rarities = rarest.map((count) => measureRarity(count, passages))
  const rarity = rarities.length === 0 ? 1 : Math.max(...rarities)
  return {
    ...word,
    wholes,
    parts,
    isAbsent,
    rarity: isAbsent && !word.isName ? rarity * trustAbsence(passages) : rarity,
  }
}

/** 0 to 1: 1 for a term that no passage contains. */
function measureRarity(count: number, passages: number): number {
  const most = Math.log((passages + 1) / 0.5)
  return rarityMin + (1 - rarityMin) * Math.max(0, Math.log((passages + 1) / (count + 0.5)) / most)
}

function trustAbsence(passages: number): number {
  return Math.min(1, Math.log(passages + 1) / Math.log(tellingPassages))
}

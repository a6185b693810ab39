import { matchSequences } from './match-sequences.ts'

/** Ranges of a text, ascending: start inclusive, end exclusive. */
export type Marks = readonly (readonly [from: number, to: number])[]

/** Texts with little in common are rewrites, in which marks would only be noise. */
const commonShareMin = 0.3

/** Beyond, marking would take long and help nobody. */
const wordsMax = 4_000
const editsMax = 400

/** Marks the words that differ between two texts; null if the texts have little in common or are long. */
export function markWords(before: string, after: string): { before: Marks; after: Marks } | null {
  const [a, b] = [splitWords(before), splitWords(after)]
  if (a.length > wordsMax || b.length > wordsMax) return null
  const matches = matchSequences(a, b, editsMax)
  if (matches === null) return null
  const common = matches.reduce((sum, [index]) => sum + countCharacters(a[index] ?? ''), 0)
  const shorter = Math.min(countCharacters(before), countCharacters(after))
  if (common < shorter * commonShareMin) return null
  return {
    before: markOthers(a, new Set(matches.map(([index]) => index))),
    after: markOthers(b, new Set(matches.map(([, index]) => index))),
  }
}

function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\n|[^\S\n]+|./gsu) ?? []
}

function countCharacters(text: string): number {
  return text.replace(/\s+/g, '').length
}

/** Marks meet over the spaces between them, so that a changed phrase is one mark. */
function markOthers(words: readonly string[], matched: ReadonlySet<number>): Marks {
  const marks: [number, number][] = []
  let place = 0
  let isOpen = false
  for (const [index, word] of words.entries()) {
    const last = marks.at(-1)
    if (!matched.has(index)) {
      if (isOpen && last !== undefined) last[1] = place + word.length
      else marks.push([place, place + word.length])
      isOpen = true
    } else if (word.trim() !== '' || word === '\n') isOpen = false
    place += word.length
  }
  return marks
}

import { foldWord, getLanguageAnalysis } from '../../base/text-analysis/language-analysis.ts'
import type { ChunkSet } from '../index-file/chunk-set.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { decodePostings } from '../index-file/postings.ts'
import { rarityWeight } from './score-chunks.ts'
import { countVisible, type SearchScope } from './search-scope.ts'

const wordCharsMax = 40
const pieceCharsMin = 2
const pieceCharsMax = 20
/** Makes a few long pieces cheaper than many short ones, which nearly every word can be cut into. */
const pieceCost = 4

interface Cut {
  cost: number
  terms: string[]
}

/**
 * Cuts an unknown word into words that the site knows: identifiers are often typed in lower case and without
 * separators, as `findbyid` for "find by ID" or `ospathjoin` for `os.path.join`.
 *
 * @returns The terms of the likeliest cut, in order, or null if no chunk in scope contains all of them.
 */
export function splitCompound(
  index: IndexFile,
  scope: SearchScope,
  word: string,
  language: string | null,
): string[] | null {
  if (word.length > wordCharsMax || !/^\p{L}+$/u.test(word)) return null
  const { stem } = getLanguageAnalysis(language)
  const cuts: (Cut | null)[] = [{ cost: 0, terms: [] }]
  for (let end = 1; end <= word.length; end++) {
    let best: Cut | null = null
    for (let start = Math.max(0, end - pieceCharsMax); start <= end - pieceCharsMin; start++) {
      const before = cuts[start]
      if (!before || end - start === word.length) continue
      const term = foldWord(stem(word.slice(start, end)))
      const count = countVisible(index, scope, term)
      const cost = before.cost + pieceCost + rarityWeight(count, scope.visible.count)
      if (count > 0 && cost < (best?.cost ?? Infinity)) best = { cost, terms: [...before.terms, term] }
    }
    cuts.push(best)
  }
  const terms = cuts.at(-1)?.terms ?? []
  return terms.length > 0 && standTogether(index, scope.visible, terms) ? terms : null
}

/** Whether some chunk contains all terms. */
function standTogether(index: IndexFile, visible: ChunkSet, terms: readonly string[]): boolean {
  let shared: Set<number> | null = null
  for (const term of terms) {
    const record = index.getTerm(term)
    if (!record) return false
    decodePostings(record, visible, index.postingsBuffer)
    const { chunks, length } = index.postingsBuffer
    const found: number[] = Array.from(chunks.subarray(0, length))
    shared = new Set(shared === null ? found : found.filter((chunk) => shared?.has(chunk)))
  }
  return (shared?.size ?? 0) > 0
}

export interface MarkedPart {
  text: string
  isMarked: boolean
}

const piecePattern = /[\p{L}\p{N}]+/gu
const wordPattern = /[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu

/**
 * Splits a text into words that match one of the index terms, and the rest.
 *
 * @param terms As in the index: lower-case stems. A word matches if it begins with a stem.
 * @returns Parts that concatenate to the text.
 */
export function markTerms(text: string, terms: readonly string[]): MarkedPart[] {
  const parts: MarkedPart[] = []
  let end = 0
  for (const { word, index } of listWords(text, terms)) {
    if (!isKnownBy(joinPieces(word), terms)) continue
    if (index > end) parts.push({ text: text.slice(end, index), isMarked: false })
    parts.push({ text: word, isMarked: true })
    end = index + word.length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false })
  return parts
}

/** Yields a compound word whole if it is a term, as `e42` matches `E-42`; otherwise its pieces. */
function* listWords(text: string, terms: readonly string[]) {
  for (const { 0: word, index } of text.matchAll(wordPattern)) {
    if (terms.includes(joinPieces(word))) yield { word, index }
    else {
      for (const { 0: piece, index: within } of word.matchAll(piecePattern))
        yield { word: piece, index: index + within }
    }
  }
}

/** Shorter stems would match too many words, as would short stems with long endings: “add” is not a stem of “address”. */
const stemCharsMin = 3
const shortStemChars = 5
const endCharsMax = { short: 3, long: 6 }

/** Normalized as identifiers are in the index. */
function joinPieces(word: string): string {
  return word.toLowerCase().replaceAll(/[-_.]/g, '')
}

function isKnownBy(word: string, terms: readonly string[]): boolean {
  return terms.some((term) => word === term || isFormOf(word, trimStem(term)))
}

function isFormOf(word: string, stem: string): boolean {
  const endMax = stem.length < shortStemChars ? endCharsMax.short : endCharsMax.long
  return stem.length >= stemCharsMin && word.startsWith(stem) && word.length - stem.length <= endMax
}

/** Stemmers end “carry” and “carries” in an i. */
function trimStem(term: string): string {
  return term.length > stemCharsMin && term.endsWith('i') ? term.slice(0, -1) : term
}

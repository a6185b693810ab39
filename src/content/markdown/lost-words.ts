/** A source's words that its page does not contain. */
export interface LostWords {
  total: number
  lost: number
  /** Some of them, in source order. */
  sample: string[]
}

const word = /[\p{L}\p{N}]+/gu
/** Scripts without spaces: words depend on where the markup is, characters do not. */
const unspaced = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/
const sampleMax = 8

/**
 * Ignores case, because pages capitalize keys and labels. Compares word counts, because a table may consist of words that
 * the page also uses elsewhere. Linear time. Pure.
 */
export function findLostWords(source: string, page: string): LostWords {
  const held = countWords(page)
  let total = 0
  let lost = 0
  const sample: string[] = []
  visitWords(source, (token) => {
    total++
    const folded = token.toLowerCase()
    const left = held.get(folded) ?? 0
    held.set(folded, left - 1)
    if (left > 0) return
    lost++
    if (sample.length < sampleMax && token.length > 2 && !sample.includes(token)) sample.push(token)
  })
  return { total, lost, sample }
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  visitWords(text.toLowerCase(), (token) => counts.set(token, (counts.get(token) ?? 0) + 1))
  return counts
}

function visitWords(text: string, visit: (token: string) => void): void {
  for (const [token] of text.matchAll(word)) {
    if (unspaced.test(token)) for (const character of token) visit(character)
    else visit(token)
  }
}

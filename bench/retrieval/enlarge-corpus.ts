import type { Chunk } from '../../src/content/pages/chunk.ts'
import type { SitePage } from '../../src/content/site-page.ts'
import type { Corpus } from './engine.ts'

/** How many of the words of a copy are other words of the corpus, so that copies do not score alike. */
const changedShare = 0.35

/**
 * A corpus of about `chunkCount` chunks: the first pages of the given one, or all and varied copies of them below
 * `/copy-1`, `/copy-2` and so on. A changed word becomes one of about the same frequency, so that the lengths of
 * posting lists grow as those of a real corpus do.
 */
export function enlargeCorpus(corpus: Corpus, chunkCount: number): Corpus {
  const chunksByPage = Map.groupBy(corpus.chunks, ({ pagePath }) => pagePath)
  const replace = createReplacer(corpus)
  const pages: SitePage[] = []
  const chunks: Chunk[] = []
  for (let copy = 0; chunks.length < chunkCount; copy++) {
    for (const page of corpus.pages) {
      if (chunks.length >= chunkCount) break
      const path = copy === 0 ? page.path : `/copy-${copy}${page.path}`
      const vary = (text: string) => (copy === 0 ? text : replace(text, copy))
      const ofPage = chunksByPage.get(page.path) ?? []
      const varied = ofPage.map((chunk) => ({
        ...chunk,
        pagePath: path,
        headings: chunk.headings.map(vary),
        text: vary(chunk.text),
      }))
      const markdown = copy === 0 ? page.markdown : varied.map(({ text }) => text).join('\n\n')
      pages.push({ ...page, path, order: pages.length, title: vary(page.title), markdown })
      chunks.push(...varied)
    }
  }
  return { pages, chunks }
}

function createReplacer(corpus: Corpus): (text: string, copy: number) => string {
  const counts = new Map<string, number>()
  for (const { text } of corpus.chunks) {
    for (const [word] of text.matchAll(/\p{L}+/gu)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const words = [...counts].sort(([, one], [, other]) => other - one).map(([word]) => word)
  const places = new Map(words.map((word, place) => [word, place]))
  return (text, copy) =>
    text.replace(/\p{L}+/gu, (word, offset: number) => {
      const place = places.get(word)
      const chance = hash(copy, offset, place ?? 0)
      if (place === undefined || chance > changedShare) return word
      // Between half and one and a half of its rank.
      return words[Math.floor(place * (0.5 + chance / changedShare))] ?? word
    })
}

/** 0 to 1, the same for the same numbers. */
function hash(...numbers: readonly number[]): number {
  let state = 0x811c9dc5
  for (const number of numbers) {
    state = Math.imul(state ^ number, 0x01000193)
    state ^= state >>> 15
    state = Math.imul(state, 0x2c1b3c6d)
    state ^= state >>> 13
  }
  return (state >>> 0) / 0x1_0000_0000
}

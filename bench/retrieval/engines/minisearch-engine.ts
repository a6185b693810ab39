import { stopwords } from '@orama/stopwords/english'
import MiniSearch from 'minisearch'
import { stemEnglish } from '../../../src/base/text-analysis/stem-english.ts'
import { listDocuments, resultsMax, type Engine, type EngineDocument } from '../engine.ts'

const stopWords = new Set(stopwords)

/** Stems and drops stop words in `processTerm`, as its guide shows; neither fuzzy nor by prefix, which ranks questions worse. */
export const miniSearchEngine: Engine = {
  name: 'MiniSearch',
  build(corpus) {
    const index = new MiniSearch<EngineDocument>({
      fields: ['title', 'headings', 'text', 'path'],
      // Its own rule leaves backticks, brackets and operators of code on the words.
      tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean),
      processTerm: (term) => {
        const word = term.toLowerCase()
        return stopWords.has(word) ? null : stemEnglish(word)
      },
      searchOptions: { boost: { title: 2, headings: 2, path: 0.5 } },
    })
    index.addAll(listDocuments(corpus))
    return {
      search: (query) =>
        index
          .search(query)
          .slice(0, resultsMax)
          .map(({ id }) => id as number), // As `listDocuments` numbers them.
      fileBytes: null,
    }
  },
}

import lunr from 'lunr'
import { listDocuments, resultsMax, type Engine } from '../engine.ts'

// Its own rule leaves everything but spaces and hyphens on the words.
lunr.tokenizer.separator = /[^\p{L}\p{N}]+/u

/** Its default pipeline stems and drops stop words; words of a query are optional, and signs in them are no syntax. */
export const lunrEngine: Engine = {
  name: 'lunr',
  build(corpus) {
    const index = lunr((builder) => {
      builder.ref('id')
      builder.field('title', { boost: 2 })
      builder.field('headings', { boost: 2 })
      builder.field('text')
      builder.field('path', { boost: 0.5 })
      for (const document of listDocuments(corpus)) builder.add(document)
    })
    return {
      search(query) {
        const words = lunr.tokenizer(query).map((token) => token.toString())
        const results = index.query((search) => search.term(words, {}))
        return results.slice(0, resultsMax).map(({ ref }) => Number(ref))
      },
      fileBytes: null,
    }
  },
}

import { Document, Encoder } from 'flexsearch'
import english from 'flexsearch/lang/en'
import { listDocuments, resultsMax, type Engine } from '../engine.ts'

const fields = ['title', 'headings', 'text', 'path'] as const
const weights = { title: 2, headings: 2, text: 1, path: 0.5 }
/** Ranks of its fields are joined by reciprocal rank, because a document index gives one list per field and no scores. */
const rankConstant = 10

/** With its English stemmer and stop words, and `suggest`, without which every word of a question would have to occur. */
export const flexSearchEngine: Engine = {
  name: 'FlexSearch',
  build(corpus) {
    const encoder = new Encoder(english)
    const index = new Document({
      document: { id: 'id', index: fields.map((field) => ({ field, tokenize: 'strict' as const, encoder })) },
    })
    for (const document of listDocuments(corpus)) index.add({ ...document })
    return {
      search(query) {
        const scores = new Map<number, number>()
        for (const { field, result } of index.search(query, { limit: 2 * resultsMax, suggest: true })) {
          const weight = weights[field as keyof typeof weights]
          result.forEach((id, rank) =>
            scores.set(Number(id), (scores.get(Number(id)) ?? 0) + weight / (rankConstant + rank + 1)),
          )
        }
        const ranked = [...scores].sort(([, one], [, other]) => other - one)
        return ranked.slice(0, resultsMax).map(([id]) => id)
      },
      fileBytes: null,
    }
  },
}

import { create, insertMultiple, search } from '@orama/orama'
import { stemmer } from '@orama/stemmers/english'
import { stopwords } from '@orama/stopwords/english'
import { listDocuments, resultsMax, type Engine } from '../engine.ts'

/** With its own stemmer and stop words, and every result that holds a word (`threshold: 1`, its default). */
export const oramaEngine: Engine = {
  name: 'Orama',
  async build(corpus) {
    const index = create({
      schema: { number: 'number', title: 'string', headings: 'string', text: 'string', path: 'string' } as const,
      components: { tokenizer: { language: 'english', stemming: true, stemmer, stopWords: stopwords } },
    })
    const documents = listDocuments(corpus).map(({ id, ...fields }) => ({ number: id, ...fields }))
    await insertMultiple(index, documents, 500)
    const boost = { title: 2, headings: 2, path: 0.5 }
    const properties: ('title' | 'headings' | 'text' | 'path')[] = ['title', 'headings', 'text', 'path']
    return {
      async search(term) {
        const { hits } = await search(index, { term, properties, boost, limit: resultsMax })
        return hits.map(({ document }) => document.number)
      },
      fileBytes: null,
    }
  },
}

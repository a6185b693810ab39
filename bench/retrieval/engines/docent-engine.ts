import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIndexFile } from '../../../src/search/index-file/build-index-file.ts'
import { IndexFile } from '../../../src/search/index-file/index-file.ts'
import { searchIndexFile } from '../../../src/search/search-index-file.ts'
import { resultsMax, type Corpus, type Engine } from '../engine.ts'

/** Asked in this thread, as the others are; the product asks it in a worker. */
export const docentEngine: Engine = {
  name: 'docent',
  build(corpus) {
    const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'index.sqlite')
    const chunks = Map.groupBy(nameChunks(corpus), ({ pagePath }) => pagePath)
    buildIndexFile(file, { header, pages: corpus.pages, chunkPage: ({ path }) => chunks.get(path) ?? [] })
    const index = new IndexFile(file)
    const search = (text: string, filter: { pathPrefix?: string }) =>
      searchIndexFile(index, { text, limit: resultsMax, filter, readerGroups: [], isSignedIn: false }).map(
        ({ anchor }) => Number(anchor),
      )
    return {
      search: (query) => search(query, {}),
      searchBelow: (query, pathPrefix) => search(query, { pathPrefix }),
      fileBytes: statSync(file).size,
    }
  },
}

const header = { siteName: '', siteDescription: '', revision: '', defaultVersion: null, defaultLanguage: null }

/** Anchors are not ranked, so they can say which chunk a passage is. */
const nameChunks = ({ chunks }: Corpus) => chunks.map((chunk, id) => ({ ...chunk, anchor: String(id) }))

import { IndexFile } from './index-file.ts'
import { listQueryTerms } from '../query-terms.ts'
import { searchIndexFile } from '../search-index-file.ts'
import type { IndexHeader } from '../search-query.ts'

/**
 * Rejects an unusable file: reads all of it, compares its counts, and searches for the title of a page.
 *
 * @throws {Error} a sentence.
 */
export function checkIndexFile(file: string, expected: IndexHeader): void {
  const index = new IndexFile(file)
  try {
    index.assertWhole()
    if (index.header.pageCount !== expected.pageCount || index.header.chunkCount !== expected.chunkCount) {
      throw new Error('The index file does not contain all pages and chunks. Build it again.')
    }
    assertAnswers(index)
  } finally {
    index.close()
  }
}

function assertAnswers(index: IndexFile): void {
  const owner = index.chunkPages.find(
    (page, chunk) => index.hasChunk(chunk) && index.pages[page]?.isSearchable === true,
  )
  const page = owner === undefined ? undefined : index.pages[owner]
  // A title without letters or digits has no words to search for.
  if (!page || listQueryTerms(page.title, page.language).terms.length === 0) return
  const { version, language } = page
  const filter = { ...(version === null ? {} : { version }), ...(language === null ? {} : { language }) }
  const reader = { readerGroups: page.groups, isSignedIn: true }
  const passages = searchIndexFile(index, { text: page.title, limit: 1, filter, ...reader })
  if (passages.length === 0) throw new Error(`The index does not find ${page.path} by its title. Build it again.`)
}

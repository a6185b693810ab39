import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { analyzerId } from '../../base/text-analysis/analyze-text.ts'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { Redirect } from '../../content/links/redirect.ts'
import type { SitePage } from '../../content/site-page.ts'
import { createChunkAnalyzer } from './analyze-chunk.ts'
import { checkIndexFile } from './check-index-file.ts'
import { findCopies } from './find-copies.ts'
import { hashPage } from './hash-page.ts'
import { indexApplicationId, indexFormat, indexSchema, metaKeys } from './index-schema.ts'
import { InvertedIndexBuilder } from './inverted-index.ts'
import { encodeOrigins } from './origin-row.ts'
import { deflateText, encodeChunkText, type ChunkText, type PageRow } from './page-rows.ts'
import { type EarlierPage, openPreviousIndex } from './previous-index.ts'
import type { IndexHeader } from '../search-query.ts'
import { syncPath } from './sync-path.ts'

export interface IndexInput {
  header: Omit<IndexHeader, 'analyzer' | 'pageCount' | 'chunkCount'>
  pages: readonly SitePage[]
  /** Splits a page that is new or changed. */
  chunkPage: (page: SitePage) => readonly Chunk[]
  /** Names the code of `chunkPage`, so that chunks that other code made are not reused. */
  chunker?: string
  redirects?: readonly Redirect[]
  /** Milliseconds by the file of a page, of its newest change. */
  changedAt?: ReadonlyMap<string, number>
  /** By path in the tree. */
  images?: ReadonlyMap<string, Uint8Array>
  /**
   * An earlier index file of the site, whose rows are reused for unchanged pages. The result is identical byte for
   * byte; a file that is unreadable or of another version is ignored.
   */
  previous?: string
}

/** With the default page size of 4,096 bytes, rows of a kilobyte and more waste a twentieth of the file. */
const pageBytes = 16_384

/**
 * Writes a complete index file, verifies it and only then renames it into place, so that the name never refers to a
 * partial file, even after a power cut. Blocks throughout (some 4,000 chunks a second): call it in a worker thread.
 *
 * @param file Replaced if it exists; readers that have the old one open keep it.
 * @throws {Error} if the file cannot be written or fails its check; then nothing is left behind.
 */
export function buildIndexFile(file: string, input: IndexInput): IndexHeader {
  mkdirSync(dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    const header = writeIndexFile(unfinished, input)
    checkIndexFile(unfinished, header)
    syncPath(unfinished)
    renameSync(unfinished, file)
    syncPath(dirname(file))
    return header
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function writeIndexFile(file: string, input: IndexInput): IndexHeader {
  const pages = [...input.pages].sort((one, other) => one.order - other.order)
  const database = new DatabaseSync(file)
  try {
    // Nobody sees the file before it is synced as a whole, so a journal would only cost time.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;')
    database.exec(
      `PRAGMA page_size = ${pageBytes}; PRAGMA application_id = ${indexApplicationId}; BEGIN; ${indexSchema}`,
    )
    const chunkCount = writePages(database, pages, input)
    const header: IndexHeader = { ...input.header, analyzer: analyzerId, pageCount: pages.length, chunkCount }
    const insertImage = database.prepare('INSERT INTO image VALUES (?, ?)')
    for (const [path, bytes] of input.images ?? []) insertImage.run(path, bytes)
    writeMeta(database, metaKeys.header, JSON.stringify(header))
    writeMeta(database, metaKeys.redirects, JSON.stringify(input.redirects ?? []))
    writeMeta(database, metaKeys.changedAt, JSON.stringify(listChanges(pages, input.changedAt)))
    writeMeta(database, metaKeys.format, indexFormat)
    database.exec('COMMIT')
    return header
  } finally {
    database.close()
  }
}

/** Change times of pages that have their own file. */
function listChanges(pages: readonly SitePage[], changedAt: ReadonlyMap<string, number> = new Map()) {
  const files = new Set(pages.flatMap(({ source, file }) => (source === undefined ? [] : [file])))
  return Object.fromEntries([...changedAt].filter(([file]) => files.has(file)))
}

/** @returns How many chunks they have. */
function writePages(database: DatabaseSync, pages: readonly SitePage[], input: IndexInput): number {
  const { chunkPage, chunker = '', previous } = input
  const earlier = previous === undefined ? null : openPreviousIndex(previous)
  try {
    const contents = pages.map((page): PageContent => {
      const contentHash = hashPage(page, chunker)
      const known = earlier?.takePage(contentHash) ?? null
      return { page, contentHash, known, chunks: known === null ? chunkPage(page) : [] }
    })
    const chunkPages = Int32Array.from(
      contents.flatMap(({ known, chunks }, pageId) => (known?.chunks ?? chunks).map(() => pageId)),
    )
    const index = new InvertedIndexBuilder(chunkPages.length, earlier ?? undefined)
    const texts: ChunkText[] = []
    const copies = findCopies(pages)
    const insertPage = preparePageWriter(database)
    for (const [pageId, content] of contents.entries()) {
      insertPage(content.page, pageId, { ...addPage(content, index, texts), copyGroup: copies[pageId] ?? null })
    }
    writeMeta(database, metaKeys.chunkPages, toBytes(chunkPages))
    writeMeta(database, metaKeys.fieldLengths, toBytes(index.fieldLengths))
    writeWords(database, index, texts)
    return chunkPages.length
  } finally {
    earlier?.close()
  }
}

interface PageContent {
  page: SitePage
  contentHash: Uint8Array
  /** Its rows in the earlier index, if it is unchanged. */
  known: EarlierPage | null
  /** Without those. */
  chunks: readonly Chunk[]
}

/** Adds the chunks of a page. */
function addPage(
  { page, contentHash, known, chunks }: PageContent,
  index: InvertedIndexBuilder,
  texts: ChunkText[],
): PageRow {
  if (known !== null) {
    for (const { text, words } of known.chunks) {
      texts.push(text)
      index.take(words)
    }
    return { contentHash, markdown: known.markdown, origins: known.origins }
  }
  const analyze = createChunkAnalyzer(page, index.dictionary)
  let from = 0
  for (const chunk of chunks) {
    const text = encodeChunkText(page, chunk, from)
    from = text.textStart === null ? from : text.textStart + chunk.text.length
    texts.push(text)
    index.add(analyze(chunk))
  }
  return { contentHash, markdown: deflateText(page.markdown), origins: encodeOrigins(page) }
}

function preparePageWriter(
  database: DatabaseSync,
): (page: SitePage, id: number, row: PageRow & { copyGroup: number | null }) => void {
  const insert = database.prepare(`
    INSERT INTO page VALUES (
      $id, $path, $title, $description, $section, $version, $language, $tag, $keywords, $groups,
      $isPublic, $isSearchable, $isListed, $boost, $copyGroup, $file, $contentHash, $origins, $images, $markdown
    )`)
  return (page, id, row) => {
    const { path, title, description, version, language, tag, boost } = page
    insert.run({
      ...row,
      id,
      path,
      title,
      description,
      version,
      language,
      tag,
      boost,
      file: page.source === undefined ? null : page.file,
      section: JSON.stringify(page.section),
      images: page.images === undefined ? null : JSON.stringify(page.images),
      keywords: JSON.stringify(page.keywords),
      groups: JSON.stringify(page.groups),
      isPublic: Number(page.isPublic),
      isSearchable: Number(page.isSearchable),
      isListed: Number(page.isListed),
    })
  }
}

/** Written last: term ids are final only once all chunks are known. */
function writeWords(database: DatabaseSync, index: InvertedIndexBuilder, texts: readonly ChunkText[]): void {
  const { terms, listTokenRows } = index.finish()
  const insertChunk = database.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  let chunk = 0
  for (const tokens of listTokenRows()) {
    const { anchor, headings, textStart, textLength, text, ...blocks } = texts[chunk] as ChunkText // One per row.
    const { firstBlock, blockCount } = blocks
    insertChunk.run(chunk++, anchor, headings, textStart, textLength, text, firstBlock, blockCount, tokens)
  }
  const insertTerm = database.prepare('INSERT INTO term VALUES (?, ?, ?, ?)')
  for (const { term, id, chunkCount, bytes } of terms) insertTerm.run(term, id, chunkCount, bytes)
  writeMeta(database, metaKeys.termCount, terms.length)
}

function writeMeta(database: DatabaseSync, key: string, value: string | number | Uint8Array): void {
  database.prepare('INSERT INTO meta VALUES (?, ?)').run(key, value)
}

const toBytes = (array: Int32Array | Uint16Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

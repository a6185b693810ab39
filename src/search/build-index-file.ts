import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deflateRawSync } from 'node:zlib'
import { analyzerId } from '../base/text-analysis/analyze-text.ts'
import type { Chunk } from '../content/chunk.ts'
import type { SitePage } from '../content/site-page.ts'
import { assignChunks } from './assign-chunks.ts'
import { checkIndexFile } from './check-index-file.ts'
import { indexApplicationId, indexFormat, indexSchema, metaKeys } from './index-schema.ts'
import { InvertedIndexBuilder } from './inverted-index.ts'
import type { IndexHeader } from './search-query.ts'

export interface IndexInput {
  header: Omit<IndexHeader, 'analyzer' | 'pageCount' | 'chunkCount'>
  pages: readonly SitePage[]
  chunks: readonly Chunk[]
}

/** Texts are a kilobyte or two: the default window would cost more to clear than to fill. */
const smallTextCompression = { windowBits: 13, memLevel: 6 }

/**
 * Writes a complete index file, checks it and only then gives it its name, so that under that name there is never half
 * a file, not even after a power cut. Blocks for the whole time (some 3,000 chunks a second): call it in a worker thread.
 *
 * @param file Replaced when it exists; readers that have the old one open keep it.
 * @throws {Error} when the file cannot be written or fails its check; nothing is left behind then.
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
  const header: IndexHeader = {
    ...input.header,
    analyzer: analyzerId,
    pageCount: pages.length,
    chunkCount: input.chunks.length,
  }
  const database = new DatabaseSync(file)
  try {
    // Nobody sees the file before it is synced as a whole, so a journal would only cost time.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;')
    database.exec(`PRAGMA application_id = ${indexApplicationId}; BEGIN; ${indexSchema}`)
    pages.forEach(preparePageWriter(database))
    writeChunks(database, pages, assignChunks(pages, input.chunks))
    writeMeta(database, metaKeys.header, JSON.stringify(header))
    writeMeta(database, metaKeys.format, indexFormat)
    database.exec('COMMIT')
    return header
  } finally {
    database.close()
  }
}

function preparePageWriter(database: DatabaseSync): (page: SitePage, id: number) => void {
  const insert = database.prepare(`
    INSERT INTO page VALUES (
      $id, $path, $title, $description, $section, $version, $language, $tag, $keywords, $groups,
      $isPublic, $isSearchable, $isListed, $boost, $markdown
    )`)
  return (page, id) => {
    const { path, title, description, version, language, tag, boost } = page
    const plain = { id, path, title, description, version, language, tag, boost }
    insert.run({
      ...plain,
      section: JSON.stringify(page.section),
      keywords: JSON.stringify(page.keywords),
      groups: JSON.stringify(page.groups),
      isPublic: Number(page.isPublic),
      isSearchable: Number(page.isSearchable),
      isListed: Number(page.isListed),
      markdown: deflateRawSync(page.markdown, smallTextCompression),
    })
  }
}

function writeChunks(database: DatabaseSync, pages: readonly SitePage[], chunksOfPages: readonly Chunk[][]): void {
  const chunkCount = chunksOfPages.reduce((sum, chunks) => sum + chunks.length, 0)
  const index = new InvertedIndexBuilder(chunkCount)
  const chunkPages = new Int32Array(chunkCount)
  const insert = database.prepare('INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?)')
  let id = 0
  pages.forEach((page, pageId) => {
    for (const chunk of chunksOfPages[pageId] ?? []) {
      const tokens = index.add(page, chunk)
      insert.run(
        id,
        pageId,
        chunk.anchor,
        JSON.stringify(chunk.headings),
        deflateRawSync(chunk.text, smallTextCompression),
        tokens,
      )
      chunkPages[id++] = pageId
    }
  })
  writeTerms(database, index)
  writeMeta(database, metaKeys.chunkPages, toBytes(chunkPages))
  writeMeta(database, metaKeys.fieldLengths, toBytes(index.fieldLengths))
}

function writeTerms(database: DatabaseSync, index: InvertedIndexBuilder): void {
  const insert = database.prepare('INSERT INTO term VALUES (?, ?, ?, ?)')
  for (const [term, id] of index.terms) {
    const postings = index.postings[id]
    if (postings) insert.run(id, term, postings.chunkCount, postings.finish())
  }
}

function writeMeta(database: DatabaseSync, key: string, value: string | number | Uint8Array): void {
  database.prepare('INSERT INTO meta VALUES (?, ?)').run(key, value)
}

const toBytes = (array: Int32Array | Uint16Array) => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

import { copyFileSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { analyzerId } from '../../base/text-analysis/analyze-text.ts'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { Redirect } from '../../content/links/redirect.ts'
import type { SitePage } from '../../content/site-page.ts'
import { createChunkAnalyzer } from './analyze-chunk.ts'
import { checkIndexFile } from './check-index-file.ts'
import { findCopies } from './find-copies.ts'
import { type DigestText, hashPage } from './hash-page.ts'
import { indexApplicationId, indexFormat, indexSchema, metaKeys } from './index-schema.ts'
import { InvertedIndexBuilder } from './inverted-index.ts'
import {
  encodeChunkTexts,
  encodePage,
  insertChunkSql,
  type ChunkText,
  makePageColumns,
  type PageColumns,
  type PageRow,
} from './page-rows.ts'
import { type HashedPages, type IndexPatch, planPatch } from './patch-index-file.ts'
import { toBytes, writeMeta } from './write-meta.ts'
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
  /** See `hashPage`. */
  digest?: DigestText
  redirects?: readonly Redirect[]
  /** Milliseconds by the file of a page, of its newest change. */
  changedAt?: ReadonlyMap<string, number>
  /** By path in the tree. */
  images?: ReadonlyMap<string, Uint8Array>
  /**
   * An earlier index file of the site, whose rows are reused for unchanged pages. The result finds the same; a file that
   * is unreadable or of another version is ignored.
   */
  previous?: string
  /** The share of pages that may differ from the earlier file for a copy of it to be patched; 0 to write a new one. */
  patchedShareMax?: number
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
  const pages = [...input.pages].sort((one, other) => one.order - other.order)
  const contentHashes = pages.map((page) => hashPage(page, input.chunker ?? '', input.digest))
  const site = { pages, contentHashes, copyGroups: findCopies(pages), chunkPage: input.chunkPage }
  const patch = input.previous === undefined ? null : planPatch(input.previous, site, input.patchedShareMax)
  if (patch !== null) {
    try {
      return replaceFile(file, (unfinished) => patchIndexFile(unfinished, input, site, patch))
    } catch {
      // The earlier file is damaged where the pages are that stay.
    } finally {
      patch.close()
    }
  }
  return replaceFile(file, (unfinished) => writeIndexFile(unfinished, input, site))
}

function replaceFile(file: string, write: (unfinished: string) => IndexHeader): IndexHeader {
  const unfinished = `${file}.${process.pid}.unfinished`
  rmSync(unfinished, { force: true })
  try {
    const header = write(unfinished)
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

function patchIndexFile(file: string, input: IndexInput, site: HashedPages, patch: IndexPatch): IndexHeader {
  copyFileSync(patch.previous, file)
  return changeDatabase(file, (database) => {
    database.exec('BEGIN')
    return writeSite(database, input, { pages: site.pages, chunkCount: patch.write(database) })
  })
}

function writeIndexFile(file: string, input: IndexInput, site: HashedPages): IndexHeader {
  return changeDatabase(file, (database) => {
    database.exec(
      `PRAGMA page_size = ${pageBytes}; PRAGMA application_id = ${indexApplicationId}; BEGIN; ${indexSchema}`,
    )
    return writeSite(database, input, { pages: site.pages, chunkCount: writePages(database, site, input.previous) })
  })
}

function changeDatabase(file: string, change: (database: DatabaseSync) => IndexHeader): IndexHeader {
  const database = new DatabaseSync(file)
  try {
    // Nobody sees the file before it is synced as a whole, so a journal would only cost time.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;')
    const header = change(database)
    database.exec('COMMIT')
    return header
  } finally {
    database.close()
  }
}

/** Writes all but pages, chunks and words. */
function writeSite(
  database: DatabaseSync,
  input: IndexInput,
  { pages, chunkCount }: { pages: readonly SitePage[]; chunkCount: number },
): IndexHeader {
  const header: IndexHeader = { ...input.header, analyzer: analyzerId, pageCount: pages.length, chunkCount }
  writeImages(database, input.images ?? new Map())
  writeMeta(database, metaKeys.header, JSON.stringify(header))
  writeMeta(database, metaKeys.redirects, JSON.stringify(input.redirects ?? []))
  writeMeta(database, metaKeys.changedAt, JSON.stringify(listChanges(pages, input.changedAt)))
  writeMeta(database, metaKeys.format, indexFormat)
  return header
}

/** Those of an earlier index that are the same stay where they are. */
function writeImages(database: DatabaseSync, images: ReadonlyMap<string, Uint8Array>): void {
  const select = database.prepare('SELECT bytes FROM image WHERE file = ?')
  const remove = database.prepare('DELETE FROM image WHERE file = ?')
  const replace = database.prepare('INSERT OR REPLACE INTO image VALUES (?, ?)')
  const stored = database.prepare('SELECT file FROM image').all()
  for (const { file } of stored) if (!images.has(String(file))) remove.run(file as string)
  for (const [path, bytes] of images) {
    const known = select.get(path)?.['bytes'] as Uint8Array | undefined
    if (known === undefined || Buffer.compare(known, bytes) !== 0) replace.run(path, bytes)
  }
}

/** Change times of pages that have their own file. */
function listChanges(pages: readonly SitePage[], changedAt: ReadonlyMap<string, number> = new Map()) {
  const files = new Set(pages.flatMap(({ source, file }) => (source === undefined ? [] : [file])))
  return Object.fromEntries([...changedAt].filter(([file]) => files.has(file)))
}

/** @returns How many chunks they have. */
function writePages(
  database: DatabaseSync,
  { pages, contentHashes, copyGroups, chunkPage }: HashedPages,
  previous: string | undefined,
): number {
  const earlier = previous === undefined ? null : openPreviousIndex(previous)
  try {
    const contents = pages.map((page, pageId): PageContent => {
      const contentHash = contentHashes[pageId] as Uint8Array
      const known = earlier?.takePage(contentHash) ?? null
      return { page, contentHash, known, chunks: known === null ? chunkPage(page) : [] }
    })
    const counts = contents.map(({ known, chunks }) => (known?.chunks ?? chunks).length)
    const chunkPages = Int32Array.from(
      counts.flatMap((count, pageId) => Array.from({ length: count + countSpare(count) }, () => pageId)),
    )
    const index = new InvertedIndexBuilder(chunkPages.length, earlier ?? undefined)
    const texts = new Map<number, ChunkText>()
    const insertPage = preparePageWriter(database)
    for (const [pageId, content] of contents.entries()) {
      const row = addPage(content, index, texts)
      index.skip(countSpare(counts[pageId] ?? 0))
      insertPage(pageId, { ...makePageColumns(content.page, copyGroups[pageId] ?? null), ...row })
    }
    writeMeta(database, metaKeys.chunkPages, toBytes(chunkPages))
    writeMeta(database, metaKeys.fieldLengths, toBytes(index.fieldLengths))
    writeWords(database, index, texts)
    return texts.size
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
  texts: Map<number, ChunkText>,
): PageRow {
  if (known !== null) {
    for (const { text, words } of known.chunks) texts.set(index.take(words), text)
    return { content_hash: contentHash, markdown: known.markdown, origins: known.origins }
  }
  const analyze = createChunkAnalyzer(page, index.dictionary)
  const encoded = encodeChunkTexts(page, chunks)
  for (const [place, chunk] of chunks.entries()) texts.set(index.add(analyze(chunk)), encoded[place] as ChunkText)
  return encodePage(page, contentHash)
}

function preparePageWriter(database: DatabaseSync): (id: number, row: PageColumns & PageRow) => void {
  const insert = database.prepare(`
    INSERT INTO page VALUES (
      $id, $path, $title, $description, $section, $version, $language, $tag, $keywords, $groups,
      $is_public, $is_searchable, $is_listed, $boost, $copy_group, $file, $content_hash, $origins, $images, $markdown
    )`)
  return (id, row) => void insert.run({ id, ...row })
}

/** Numbers for chunks that a page may get later, so that those after it keep theirs when a copy is patched. */
const countSpare = (chunkCount: number) => 1 + Math.floor(chunkCount / 8)

/** Written last: term ids are final only once all chunks are known. */
function writeWords(database: DatabaseSync, index: InvertedIndexBuilder, texts: ReadonlyMap<number, ChunkText>): void {
  const { terms, listTokenRows } = index.finish()
  const insertChunk = database.prepare(insertChunkSql)
  for (const [id, tokens] of listTokenRows()) {
    insertChunk.run({ ...(texts.get(id) as ChunkText), id, tokens }) // Added with it.
  }
  const insertTerm = database.prepare('INSERT INTO term VALUES (?, ?, ?, ?)')
  for (const { term, id, chunkCount, bytes } of terms) insertTerm.run(term, id, chunkCount, bytes)
  writeMeta(database, metaKeys.termCount, terms.length)
}

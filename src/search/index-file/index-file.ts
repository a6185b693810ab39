import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { inflateRawSync } from 'node:zlib'
import { analyzerId } from '../../base/text-analysis/analyze-text.ts'
import { BoundedCache } from '../../base/bounded-cache.ts'
import { indexApplicationId, indexFormat, metaKeys } from './index-schema.ts'
import type { TermRow } from './inverted-index.ts'
import type { ChunkText } from './page-rows.ts'
import { createPostingsBuffer, fieldCount, type DecodedPostings, type Postings } from './postings.ts'
import { splitBlocks } from '../../content/markdown/markdown-blocks.ts'
import { type BlockRun, decodeOrigins } from './origin-row.ts'
import type { PageImage } from '../../content/site-page.ts'
import type { Redirect } from '../../content/links/redirect.ts'
import type { BlockOrigin, IndexHeader } from '../search-query.ts'
import { boostFactor } from './boost-factor.ts'
import { createScoreBuffer, type ScoreBuffer } from './score-buffer.ts'

/** A page as kept in memory: everything but its text. */
export interface PageRecord {
  path: string
  title: string
  description: string
  section: string[]
  version: string | null
  language: string | null
  tag: string | null
  groups: string[]
  isPublic: boolean
  isSearchable: boolean
  isListed: boolean
  /** The factor of the page's `boost`; see `boostFactor`. */
  boostFactor: number
  /** The first of the pages that say the same; null without copies. */
  copyGroup: number | null
  /** Relative to the root of the source; null if the page has none. */
  file: string | null
}

export interface ChunkRecord {
  anchor: string | null
  headings: string[]
  text: string
  /** One for each block of `text`. */
  origins: BlockOrigin[]
}

/** Without what its origins are in the file of the page. */
interface StoredChunk extends Omit<ChunkRecord, 'origins'> {
  place: BlockRun
  /** Whether its text is cut from the page's. */
  isOfPage: boolean
}

interface StoredPage {
  markdown: Uint8Array
  origins: Uint8Array | null
}

interface PageText {
  markdown: string
  /** As stored. */
  origins: Uint8Array | null
}

/** `chunkCount` includes hidden chunks: use it in scores only if nothing is hidden. */
export interface TermRecord extends Postings {
  id: number
}

/** Named after the fields of `ChunkText`. */
const chunkTextColumns = `anchor, headings, text_start AS textStart, text_length AS textLength, text,
  first_block AS firstBlock, block_count AS blockCount`

const termCacheBytes = 16_000_000
const tokenCacheBytes = 4_000_000
const chunkCacheBytes = 4_000_000
const pageCacheBytes = 8_000_000

/**
 * An open index file. Synchronous, so only for worker threads. Uses about 80 bytes per chunk and a kilobyte per page in
 * memory, and up to 32 MB of caches.
 */
export class IndexFile {
  readonly header: IndexHeader
  readonly pages: readonly PageRecord[]
  readonly pagesByPath: ReadonlyMap<string, readonly number[]>
  readonly chunkPages: Int32Array
  readonly fieldLengths: Uint16Array
  /** By page. */
  readonly pageBoosts: Float64Array
  readonly postingsBuffer: DecodedPostings
  private changes: ReadonlyMap<string, number> | undefined
  /** Pages that say the same, in order; see `findCopies`. */
  readonly copiesByPage: ReadonlyMap<number, readonly number[]>
  /** Scratch space of the current search. */
  readonly scoreBuffer: ScoreBuffer
  /** Scratch space of the current search, by term id; all zero between searches. */
  readonly termSlots: Uint8Array
  private readonly database: DatabaseSync
  private readonly selectTerm: StatementSync
  private readonly selectTokens: StatementSync
  private readonly selectChunk: StatementSync
  private readonly selectTerms: StatementSync
  private readonly selectStored: StatementSync
  private readonly selectPage: StatementSync
  private readonly selectOrigins: StatementSync
  private readonly selectImages: StatementSync
  private readonly selectImage: StatementSync
  private readonly terms = new BoundedCache<TermRecord | null>(termCacheBytes)
  private readonly tokenRows = new BoundedCache<Uint8Array>(tokenCacheBytes)
  private readonly chunks = new BoundedCache<ChunkRecord>(chunkCacheBytes)
  private readonly pageTexts = new BoundedCache<PageText>(pageCacheBytes)

  /** @throws {Error} a sentence, if the file is missing, damaged or made by another version. */
  constructor(file: string) {
    this.database = openDatabase(file)
    try {
      this.header = JSON.parse(this.readMeta(metaKeys.header) as string) as IndexHeader
      this.assertReadable(file)
      this.pages = this.readPages()
      this.pageBoosts = Float64Array.from(this.pages, (page) => page.boostFactor)
      this.chunkPages = new Int32Array(copyBuffer(this.readMeta(metaKeys.chunkPages)))
      this.fieldLengths = new Uint16Array(copyBuffer(this.readMeta(metaKeys.fieldLengths)))
      this.selectTerm = this.database.prepare('SELECT id, chunk_count, postings FROM term WHERE term = ?')
      this.selectTokens = this.database.prepare('SELECT tokens FROM chunk WHERE id = ?')
      this.selectTerms = this.database.prepare(
        'SELECT term FROM term WHERE term >= ? AND term < ? AND length(term) BETWEEN ? AND ? LIMIT ?',
      )
      this.selectChunk = this.database.prepare(`SELECT ${chunkTextColumns} FROM chunk WHERE id = ?`)
      this.selectStored = this.database.prepare(
        `SELECT ${chunkTextColumns}, tokens FROM chunk WHERE id BETWEEN ? AND ? ORDER BY id`,
      )
      this.selectOrigins = this.database.prepare('SELECT origins FROM page WHERE id = ?')
      this.selectImages = this.database.prepare('SELECT images FROM page WHERE id = ?')
      this.selectImage = this.database.prepare('SELECT bytes FROM image WHERE file = ?')
      this.selectPage = this.database.prepare('SELECT markdown, origins FROM page WHERE id = ?')
      this.termSlots = new Uint8Array(Number(this.readMeta(metaKeys.termCount)))
    } catch (error) {
      this.database.close()
      throw explainDamage(file, error)
    }
    this.pagesByPath = groupByPath(this.pages)
    this.copiesByPage = groupCopies(this.pages)
    this.postingsBuffer = createPostingsBuffer(this.chunkPages.length)
    this.scoreBuffer = createScoreBuffer(this.chunkPages.length, this.pages.length)
  }

  getTerm(term: string): TermRecord | null {
    const known = this.terms.get(term)
    if (known !== undefined) return known
    const row = this.selectTerm.get(term)
    const record = row
      ? { id: Number(row['id']), chunkCount: Number(row['chunk_count']), bytes: row['postings'] as Uint8Array }
      : null
    this.terms.set(term, record, 100 + (record?.bytes.length ?? 0))
    return record
  }

  /** Whether a number is that of a chunk with words, and not spare. */
  hasChunk(chunk: number): boolean {
    const end = fieldOffset(chunk + 1)
    for (let place = fieldOffset(chunk); place < end; place++) if (this.fieldLengths[place] !== 0) return true
    return false
  }

  getTokenRow(chunk: number): Uint8Array {
    const known = this.tokenRows.get(chunk)
    if (known) return known
    const row = this.selectTokens.get(chunk)?.['tokens'] as Uint8Array
    this.tokenRows.set(chunk, row, 100 + row.length)
    return row
  }

  getChunk(chunk: number): ChunkRecord {
    const known = this.chunks.get(chunk)
    if (known) return known
    const { place, isOfPage, ...read } = this.readChunk(chunk) as StoredChunk // Asked for only where there is one.
    const page = this.chunkPages[chunk] as number
    const stored = isOfPage ? this.getPageText(page).origins : this.readOrigins(page)
    const origins = decodeOrigins(stored, splitBlocks(read.text), place)
    const record = { ...read, origins }
    this.chunks.set(chunk, record, 200 + read.text.length * 2 + origins.length * 200)
    return record
  }

  /** Read anew; null for a spare number. */
  readChunk(chunk: number): StoredChunk | null {
    const row = this.selectChunk.get(chunk) as ChunkText | undefined // The columns are named after the fields.
    if (row === undefined) return null
    const { anchor, headings, textStart, textLength, text: stored, firstBlock, blockCount } = row
    const text =
      textStart === null
        ? inflateText(stored as Uint8Array) // Written if the text is not verbatim in the page.
        : copyPart(this.getMarkdown(this.chunkPages[chunk] as number), textStart, textLength as number)
    const place = { anchor, firstBlock, blockCount }
    return { anchor, headings: JSON.parse(headings) as string[], text, place, isOfPage: textStart !== null }
  }

  getMarkdown(page: number): string {
    return this.getPageText(page).markdown
  }

  getImages(page: number): PageImage[] {
    const images = this.selectImages.get(page)?.['images'] as string | null
    return images === null ? [] : (JSON.parse(images) as PageImage[]) // Written by `buildIndexFile`.
  }

  /** The bytes of an image that everybody may see; null if there is none at the path. */
  readImage(file: string): Uint8Array | null {
    return (this.selectImage.get(file)?.['bytes'] as Uint8Array | undefined) ?? null
  }

  /** The redirects of the documentation. Reads them anew each time. */
  listRedirects(): Redirect[] {
    return JSON.parse(this.readMeta(metaKeys.redirects) as string) as Redirect[] // Written by `buildIndexFile`.
  }

  /** Milliseconds by file, of the newest change; empty where the past is not known. */
  get changedAt(): ReadonlyMap<string, number> {
    this.changes ??= readChanges(this.readMeta(metaKeys.changedAt))
    return this.changes
  }

  /** Positions of a page's blocks in its file. */
  getOrigins(page: number): BlockOrigin[] {
    const blocks = splitBlocks(this.getMarkdown(page))
    return decodeOrigins(this.getPageText(page).origins, blocks, {
      anchor: null,
      firstBlock: 0,
      blockCount: blocks.length,
    })
  }

  /** Rows as `buildIndexFile` wrote them, to be copied. */
  getStoredPage(page: number): StoredPage {
    return this.selectPage.get(page) as unknown as StoredPage // The columns are named after the fields.
  }

  /** The chunks of a page as `buildIndexFile` wrote them, to be copied. */
  listStoredChunks(first: number, page: number): (ChunkText & { tokens: Uint8Array })[] {
    let end = first
    while (this.chunkPages[end] === page) end++
    const rows = this.selectStored.all(first, end - 1)
    return rows as unknown as (ChunkText & { tokens: Uint8Array })[] // The columns are named after the fields.
  }

  /** Pages changed since the file was built as a whole. */
  get patchedPages(): number {
    return Number(this.readMeta(metaKeys.patchedPages) ?? 0)
  }

  /** By page. */
  listContentHashes(): Uint8Array[] {
    const rows = this.database.prepare('SELECT content_hash FROM page ORDER BY id').all()
    return rows.map((row) => row['content_hash'] as Uint8Array)
  }

  /** The anchors of all chunks that have one, with repetitions. */
  listAnchors(): { anchor: string; page: number }[] {
    const rows = this.database.prepare('SELECT id, anchor FROM chunk WHERE anchor IS NOT NULL').all()
    return rows.map((row) => ({ anchor: String(row['anchor']), page: this.chunkPages[Number(row['id'])] as number })) // Every chunk has a page.
  }

  /** All terms, sorted: the whole inverted index, for building the next one. */
  listTermRows(): TermRow[] {
    const rows = this.database.prepare('SELECT term, id, chunk_count AS chunkCount, postings AS bytes FROM term').all()
    return rows as unknown as TermRow[] // The columns are named after the fields.
  }

  /** Terms with this prefix and a length in the range, sorted, at most `limit`. */
  listTerms(beginning: string, charsMin: number, charsMax: number, limit: number): string[] {
    return this.selectTerms
      .all(beginning, `${beginning}\u{10ffff}`, charsMin, charsMax, limit)
      .map((row) => row['term'] as string)
  }

  /** Reads every byte of the file to verify pages, trees and constraints. Takes seconds for a large file. */
  assertWhole(): void {
    const faults = this.database.prepare('PRAGMA integrity_check').all()
    const first = faults[0]?.['integrity_check']
    if (first !== 'ok') throw new Error(`The index file is damaged (${String(first)}). Build it again.`)
    const counted = this.database
      .prepare('SELECT (SELECT count(*) FROM page) AS pages, (SELECT count(*) FROM chunk) AS chunks')
      .get()
    if (counted?.['pages'] !== this.header.pageCount || counted['chunks'] !== this.header.chunkCount) {
      throw new Error('The index file does not contain as many pages and chunks as its header says. Build it again.')
    }
  }

  close(): void {
    this.database.close()
  }

  /** Together, because finding the origins means reading past the Markdown. */
  private getPageText(page: number): PageText {
    const known = this.pageTexts.get(page)
    if (known !== undefined) return known
    const { markdown, origins } = this.getStoredPage(page)
    const text = { markdown: inflateText(markdown), origins }
    this.pageTexts.set(page, text, 300 + text.markdown.length * 2 + (origins?.length ?? 0))
    return text
  }

  private readOrigins(page: number): Uint8Array | null {
    return this.selectOrigins.get(page)?.['origins'] as Uint8Array | null
  }

  private readMeta(key: string): unknown {
    return this.database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.['value']
  }

  private assertReadable(file: string): void {
    const application = this.database.prepare('PRAGMA application_id').get()?.['application_id']
    if (
      application !== indexApplicationId ||
      this.readMeta(metaKeys.format) !== indexFormat ||
      this.header.analyzer !== analyzerId
    ) {
      throw new Error(`The index file ${file} was made by another version of this program. Build it again.`)
    }
  }

  private readPages(): PageRecord[] {
    // Not the Markdown, which is most of the file.
    const rows = this.database
      .prepare(
        `SELECT path, title, description, section, version, language, tag, groups, is_public, is_searchable, is_listed,
          boost, copy_group, file FROM page ORDER BY id`,
      )
      .iterate()
    return Array.from(rows, (row) => ({
      path: row['path'] as string,
      title: row['title'] as string,
      description: row['description'] as string,
      section: JSON.parse(row['section'] as string) as string[],
      version: row['version'] as string | null,
      language: row['language'] as string | null,
      tag: row['tag'] as string | null,
      groups: JSON.parse(row['groups'] as string) as string[],
      isPublic: row['is_public'] === 1,
      isSearchable: row['is_searchable'] === 1,
      isListed: row['is_listed'] === 1,
      boostFactor: boostFactor(row['boost'] as number),
      copyGroup: row['copy_group'] as number | null,
      file: row['file'] as string | null,
    }))
  }
}

/** A substring keeps its whole string in memory, so caching substrings would retain whole pages. */
const copyPart = (text: string, start: number, length: number) =>
  Buffer.from(text.slice(start, start + length), 'utf16le').toString('utf16le')

const inflateText = (bytes: Uint8Array) => inflateRawSync(bytes).toString('utf8')

function openDatabase(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly: true })
  } catch (error) {
    throw new Error(`The index file ${file} cannot be opened. Build the site's index again.`, { cause: error })
  }
}

/** SQLite's message names a page of a B-tree; ours says what to do instead. */
function explainDamage(file: string, error: unknown): Error {
  if (error instanceof Error && error.message.endsWith('Build it again.')) return error
  return new Error(`The index file ${file} is damaged or is not an index. Build it again.`, { cause: error })
}

/** Typed arrays need an aligned buffer of their own. */
function copyBuffer(value: unknown): ArrayBuffer {
  return Uint8Array.from(value as Uint8Array).buffer
}

/** @param stored As `buildIndexFile` wrote it. */
function readChanges(stored: unknown): ReadonlyMap<string, number> {
  return new Map(typeof stored === 'string' ? Object.entries(JSON.parse(stored) as Record<string, number>) : [])
}

function groupByPath(pages: readonly PageRecord[]): Map<string, number[]> {
  const byPath = new Map<string, number[]>()
  pages.forEach((page, index) => {
    const known = byPath.get(page.path)
    if (known) known.push(index)
    else byPath.set(page.path, [index])
  })
  return byPath
}

function groupCopies(pages: readonly PageRecord[]): Map<number, readonly number[]> {
  const groups = Map.groupBy(pages.keys(), (page) => pages[page]?.copyGroup ?? null)
  groups.delete(null)
  return new Map([...groups.values()].flatMap((group) => group.map((page) => [page, group] as const)))
}

/** Offset of a chunk's counts in `fieldLengths`. */
export const fieldOffset = (chunk: number) => chunk * fieldCount

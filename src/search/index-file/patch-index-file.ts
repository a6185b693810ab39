import type { DatabaseSync } from 'node:sqlite'
import { countBelow } from '../../base/count-below.ts'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'
import { type AnalyzedPage, createChunkAnalyzer } from './analyze-chunk.ts'
import { fieldOffset, IndexFile } from './index-file.ts'
import { metaKeys } from './index-schema.ts'
import {
  type ChunkText,
  encodeChunkTexts,
  encodePage,
  insertChunkSql,
  makePageColumns,
  type PageColumns,
} from './page-rows.ts'
import { fieldCount } from './postings.ts'
import { PatchedTerms } from './patched-terms.ts'
import { toBytes, writeMeta } from './write-meta.ts'

export interface HashedPages {
  /** In order. */
  pages: readonly SitePage[]
  /** By page: see `hashPage`. */
  contentHashes: readonly Uint8Array[]
  /** By page: see `findCopies`. */
  copyGroups: readonly (number | null)[]
  chunkPage: (page: SitePage) => readonly Chunk[]
}

/** Changes that turn a copy of an earlier index file into the next one. */
export interface IndexPatch {
  /** The file to copy. */
  previous: string
  /** @returns How many chunks the index has. */
  write(database: DatabaseSync): number
  /** Closes the earlier file. */
  close(): void
}

/** Of the pages, since the file was built as a whole. A patch leaves gaps in the file and terms numbered as they were. */
const patchedShareMaxDefault = 0.2

/**
 * Plans to patch a copy of an earlier file: possible if the pages are in the same places, few of them have changed, and
 * their chunks do not need more numbers than they have. Then all numbers stay, and only the rows that differ are written.
 *
 * The result finds the same with the same scores as a file built from scratch. Only the ids of terms may differ.
 *
 * @returns Null if the index must be written as a whole, for whatever reason.
 */
export function planPatch(
  previous: string,
  site: HashedPages,
  patchedShareMax = patchedShareMaxDefault,
): IndexPatch | null {
  let index: IndexFile | undefined
  try {
    index = new IndexFile(previous)
    const changed = listChangedPages(index, site, patchedShareMax)
    if (changed !== null) return createPatch({ index, previous, site, changed })
  } catch {
    // Without it, the index is built as a whole.
  }
  index?.close()
  return null
}

/** A page at the same place in both files, with its new chunks and its numbers for chunks. */
interface ChangedPage {
  page: number
  chunks: readonly Chunk[]
  firstChunk: number
  chunksMax: number
}

function listChangedPages(
  index: IndexFile,
  { pages, contentHashes, chunkPage }: HashedPages,
  patchedShareMax: number,
): ChangedPage[] | null {
  const known = index.listContentHashes()
  if (known.length !== pages.length || patchedShareMax === 0) return null
  const numbers = [...pages.keys()].filter((page) => !areEqual(known[page], contentHashes[page]))
  if (index.patchedPages + numbers.length > pages.length * patchedShareMax) return null
  const changed = numbers.map((page) => {
    const firstChunk = countBelow(index.chunkPages, page)
    const chunksMax = countBelow(index.chunkPages, page + 1) - firstChunk
    return { page, chunks: chunkPage(pages[page] as SitePage), firstChunk, chunksMax }
  })
  return changed.every(({ chunks, chunksMax }) => chunks.length <= chunksMax) ? changed : null
}

interface PatchInput {
  index: IndexFile
  previous: string
  site: HashedPages
  changed: readonly ChangedPage[]
}

function createPatch({ index, previous, site, changed }: PatchInput): IndexPatch {
  return {
    previous,
    write(database) {
      const stored = listStoredColumns(database)
      const patch = { database, index, terms: new PatchedTerms(index), fieldLengths: index.fieldLengths.slice() }
      for (const each of changed) patchChunks(patch, each, stored[each.page] as PageColumns, site)
      patchPages(database, site, { stored, changed: new Set(changed.map(({ page }) => page)) })
      writeMeta(database, metaKeys.fieldLengths, toBytes(patch.fieldLengths))
      writeMeta(database, metaKeys.termCount, patch.terms.write(database))
      writeMeta(database, metaKeys.patchedPages, index.patchedPages + changed.length)
      return Number(database.prepare('SELECT count(*) AS count FROM chunk').get()?.['count'])
    },
    close: () => index.close(),
  }
}

function listStoredColumns(database: DatabaseSync): PageColumns[] {
  const names = 'path, title, description, section, version, language, tag, keywords, groups, is_public'
  const others = 'is_searchable, is_listed, boost, copy_group, file, images'
  // The columns are named after the fields.
  return database.prepare(`SELECT ${names}, ${others} FROM page ORDER BY id`).all() as unknown as PageColumns[]
}

interface ChunkPatch {
  database: DatabaseSync
  index: IndexFile
  terms: PatchedTerms
  fieldLengths: Uint16Array
}

/** Most chunks of a changed page still have the same words. */
function patchChunks(
  { database, index, terms, fieldLengths }: ChunkPatch,
  { page: number, chunks, firstChunk, chunksMax }: ChangedPage,
  stored: PageColumns,
  { pages }: HashedPages,
): void {
  const page = pages[number] as SitePage
  const earlier = { ...stored, keywords: JSON.parse(stored.keywords) as string[] } // Written by `makePageColumns`.
  const isNamedAlike = describeAnalysis(page) === describeAnalysis(earlier)
  const [analyzeEarlier, analyze] = [createChunkAnalyzer(earlier, terms), createChunkAnalyzer(page, terms)]
  const replace = database.prepare(insertChunkSql)
  const remove = database.prepare('DELETE FROM chunk WHERE id = ?')
  const texts = encodeChunkTexts(page, chunks)
  for (let ordinal = 0; ordinal < chunksMax; ordinal++) {
    const id = firstChunk + ordinal
    const [known, chunk] = [index.readChunk(id), chunks[ordinal]]
    const isAlike = isNamedAlike && known?.text === chunk?.text && areSame(known?.headings, chunk?.headings)
    if (!isAlike && known !== null) terms.remove(id, analyzeEarlier({ ...known, ordinal }))
    const words = isAlike || chunk === undefined ? null : analyze(chunk)
    if (words !== null) terms.add(id, words)
    if (!isAlike) fieldLengths.set(words?.fieldLengths ?? noLengths, fieldOffset(id))
    if (chunk === undefined) remove.run(id)
    else replace.run({ ...(texts[ordinal] as ChunkText), id, tokens: words?.tokenRow ?? index.getTokenRow(id) })
  }
}

const noLengths = new Uint16Array(fieldCount)

const areSame = (one: readonly string[] = [], other: readonly string[] = []) => one.join('\n') === other.join('\n')

/** What the words of all chunks of a page depend on. */
function describeAnalysis({ path, title, description, language, keywords }: AnalyzedPage): string {
  return JSON.stringify([path, title, description, language, keywords])
}

/** Visibility, section and other columns may change where the text has not. */
function patchPages(
  database: DatabaseSync,
  { pages, contentHashes, copyGroups }: HashedPages,
  { stored, changed }: { stored: readonly PageColumns[]; changed: ReadonlySet<number> },
): void {
  for (const [id, page] of pages.entries()) {
    const columns = makePageColumns(page, copyGroups[id] ?? null)
    const known = stored[id] as PageColumns
    const isChanged = changed.has(id)
    if (!isChanged && Object.entries(columns).every(([name, value]) => known[name as keyof PageColumns] === value))
      continue
    const row = isChanged ? { ...columns, ...encodePage(page, contentHashes[id] as Uint8Array) } : columns
    const settings = Object.keys(row).map((name) => `${name} = $${name}`)
    database.prepare(`UPDATE page SET ${settings.join()} WHERE id = $id`).run({ ...row, id })
  }
}

const areEqual = (one: Uint8Array | undefined, other: Uint8Array | undefined) =>
  one !== undefined && other !== undefined && Buffer.compare(one, other) === 0

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { FileTree } from '../content/trees/file-tree.ts'
import { createMemoryTree } from '../content/trees/memory-tree.ts'
import type { Finding } from '../content/site-page.ts'
import { replaceFile } from '../base/replace-file.ts'
import type { CrawlResult } from './crawl-site.ts'
import type { CachedReplyMap } from './reply-cache.ts'

/** Where a crawl is stored: two files, because readers of the pages do not need the responses. */
export interface CrawlFiles {
  pages: string
  replies: string
}

/** Bump when the format below changes: files of another version are ignored. */
const snapshotFormat = 1

const digestBytes = 32

interface SavedPages {
  format: number
  files: Map<string, string>
  findings: Finding[]
}

interface SavedReplies {
  format: number
  replies: CachedReplyMap
}

/** Stores a crawl. Pages are written last: a process killed in between leaves newer responses, which are harmless. */
export async function saveCrawl(files: CrawlFiles, { tree, findings, kept }: CrawlResult): Promise<void> {
  await writeWhole(files.replies, { format: snapshotFormat, replies: kept } satisfies SavedReplies)
  const texts = new Map<string, string>()
  const decoder = new TextDecoder()
  for (const path of tree.paths) texts.set(path, decoder.decode(await tree.read(path)))
  await writeWhole(files.pages, { format: snapshotFormat, files: texts, findings } satisfies SavedPages)
}

/** Responses of the previous crawl; none if they cannot be read, because they can be fetched again. */
export function readSavedReplies(file: string): CachedReplyMap {
  const saved = readWhole(file) as SavedReplies | null // The digest proves that `saveCrawl` wrote it.
  return saved?.format === snapshotFormat ? saved.replies : new Map()
}

/** The pages of the newest crawl and the site's findings; null if there are none that can be read. */
export function openSavedCrawl(file: string): { tree: FileTree; findings: Finding[] } | null {
  const saved = readWhole(file) as SavedPages | null // The digest proves that `saveCrawl` wrote it.
  return saved?.format === snapshotFormat ? { tree: createMemoryTree(saved.files), findings: saved.findings } : null
}

/** The previous crawl stays intact until the new one is complete. */
async function writeWhole(file: string, value: SavedPages | SavedReplies): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const body = serialize(value)
  await replaceFile(file, Buffer.concat([digestOf(body), body]))
}

function readWhole(file: string): unknown {
  try {
    const bytes = readFileSync(file)
    const body = bytes.subarray(digestBytes)
    return digestOf(body).equals(bytes.subarray(0, digestBytes)) ? deserialize(body) : null
  } catch {
    // Missing before the first crawl.
    return null
  }
}

function digestOf(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest()
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Chunk } from '../../content/pages/chunk.ts'
import type { SitePage } from '../../content/site-page.ts'
import { buildIndexFile } from '../index-file/build-index-file.ts'
import type { JudgedRanking } from './retrieval-metrics.ts'
import { readRetrievalSet, type JudgedQuery, type RetrievalSet } from './retrieval-set.ts'
import { createSearchEngine } from '../search-engine.ts'
import type { Passage, SearchIndex } from '../search-query.ts'

export interface RankOptions {
  /** How pages are split into chunks; unused if the folder contains chunks. */
  chunkPage: (page: SitePage) => Chunk[]
  signal?: AbortSignal
}

/** Deep enough to contain ten different pages. */
const evaluatedPassages = 50

/**
 * Indexes a judged corpus and runs its queries as a server would, one after the other.
 *
 * Blocks while it builds the index: for the command line, not for a server.
 *
 * @returns One ranking per query, in the order of the queries.
 * @throws {Error} a sentence, if the folder is not a retrieval set.
 */
export async function rankJudgedQueries(folder: string, options: RankOptions): Promise<JudgedRanking[]> {
  const set = readRetrievalSet(folder, options.chunkPage)
  const scratch = await mkdtemp(join(tmpdir(), 'docent-evaluation-'))
  const engine = createSearchEngine({ threads: 1 })
  try {
    const file = join(scratch, 'index.sqlite')
    const header = { siteName: '', siteDescription: '', revision: '', defaultVersion: null, defaultLanguage: null }
    const chunks = Map.groupBy(set.chunks, ({ pagePath }) => pagePath)
    buildIndexFile(file, { header, pages: set.pages, chunkPage: ({ path }) => chunks.get(path) ?? [] })
    const index = await engine.open(file)
    const rankings: JudgedRanking[] = []
    for (const query of set.queries) rankings.push(await rankJudged(index, set, query, options.signal))
    return rankings
  } finally {
    await engine.close()
    await rm(scratch, { recursive: true, force: true })
  }
}

async function rankJudged(
  index: SearchIndex,
  set: RetrievalSet,
  { text, level, groups }: JudgedQuery,
  signal: AbortSignal | undefined,
): Promise<JudgedRanking> {
  const reader = { readerGroups: [], isSignedIn: false }
  const start = performance.now()
  const passages = await index.search({ text, limit: evaluatedPassages, filter: {}, ...reader }, signal)
  const durationMs = performance.now() - start
  return { ranked: listJudgedIds(set, level, passages), groups, durationMs }
}

/** The set's ids of passages: of chunks, or of their pages, each at its best rank. */
function listJudgedIds(set: RetrievalSet, level: JudgedQuery['level'], passages: readonly Passage[]): string[] {
  const ids = passages.map(({ anchor, path }) => (level === 'chunk' ? anchor : set.idsByPath.get(path)) ?? path)
  return [...new Set(ids)]
}

// One engine in a process of its own, so that its memory is its alone: measure-engine.ts ENGINE quality|scale CHUNKS SET…

import { basename } from 'node:path'
import { chunkPage } from '../../src/content/pages/chunk-page.ts'
import {
  measureRetrieval,
  type JudgedRanking,
  type RetrievalReport,
} from '../../src/search/evaluation/retrieval-metrics.ts'
import { readRetrievalSet, type RetrievalSet } from '../../src/search/evaluation/retrieval-set.ts'
import type { BuiltEngine, Corpus, Engine } from './engine.ts'
import { allEngines } from './engines/all-engines.ts'
import { enlargeCorpus } from './enlarge-corpus.ts'
import { measurePublished, type PublishedMetrics } from './published-metrics.ts'

export interface SetQuality extends RetrievalReport, PublishedMetrics {
  set: string
}

export interface ScaleFigures {
  chunks: number
  buildSeconds: number
  p50Ms: number
  p95Ms: number
  /** Null where the engine cannot filter before it ranks. */
  filteredP95Ms: number | null
  memoryMb: number
  fileBytes: number | null
}

/** Asked of every corpus size, so that times compare. */
const timedQueriesMax = 300

async function measureAll(engine: Engine, folders: readonly string[]): Promise<SetQuality[]> {
  const qualities: SetQuality[] = []
  for (const folder of folders) qualities.push(await measureQuality(engine, folder))
  return qualities
}

async function measureQuality(engine: Engine, folder: string): Promise<SetQuality> {
  const set = readRetrievalSet(folder, chunkPage)
  const built = await engine.build(set)
  const rankings: JudgedRanking[] = []
  for (const { text, level, groups } of set.queries) {
    const start = performance.now()
    const found = await built.search(text)
    rankings.push({ ranked: listIds(set, level, found), groups, durationMs: performance.now() - start })
  }
  return { set: basename(folder), ...measureRetrieval(rankings), ...measurePublished(rankings) }
}

function listIds({ chunks, idsByPath }: RetrievalSet, level: 'chunk' | 'page', found: readonly number[]): string[] {
  const ids = found.map((place) => {
    const { anchor, pagePath } = chunks[place] as Corpus['chunks'][number] // Engines return places of this list.
    return (level === 'chunk' ? anchor : idsByPath.get(pagePath)) ?? pagePath
  })
  return [...new Set(ids)]
}

async function measureScale(engine: Engine, folders: readonly string[], chunkCount: number): Promise<ScaleFigures> {
  const { corpus, queries } = joinSets(folders, chunkCount)
  const memoryBefore = measureMemory()
  const start = performance.now()
  const built = await engine.build(corpus)
  const buildSeconds = (performance.now() - start) / 1000
  const memoryMb = measureMemory() - memoryBefore
  const { p50Ms, p95Ms } = await time(queries, built.search)
  const filtered = built.searchBelow && (await time(queries, limitToPart(built.searchBelow)))
  const filteredP95Ms = filtered?.p95Ms ?? null
  return {
    chunks: corpus.chunks.length,
    buildSeconds,
    p50Ms,
    p95Ms,
    filteredP95Ms,
    memoryMb,
    fileBytes: built.fileBytes,
  }
}

const limitToPart = (search: NonNullable<BuiltEngine['searchBelow']>) => (query: string) => search(query, '/part')

/** The smallest corpus holds the beginning of each set; the page paths of the largest set stand below `/part`. */
function joinSets(folders: readonly string[], chunkCount: number): { corpus: Corpus; queries: string[] } {
  const sets = folders.map((folder) => readRetrievalSet(folder, chunkPage))
  const largest = sets.toSorted((one, other) => other.chunks.length - one.chunks.length)[0]
  const place = (set: RetrievalSet, path: string) => (set === largest ? `/part${path}` : path)
  const pages = sets.flatMap((set) => set.pages.map((page) => ({ ...page, path: place(set, page.path) })))
  const chunks = sets.flatMap((set) => set.chunks.map((chunk) => ({ ...chunk, pagePath: place(set, chunk.pagePath) })))
  const queries = sets.flatMap((set) => set.queries.map(({ text }) => text))
  const step = Math.max(1, Math.ceil(queries.length / timedQueriesMax))
  return {
    corpus: enlargeCorpus({ pages, chunks }, chunkCount),
    queries: queries.filter((_, index) => index % step === 0),
  }
}

const rounds = 3

/** Of each query the fastest of some rounds: the first one warms the code, and other work on the machine is not the engine's. */
async function time(queries: readonly string[], search: BuiltEngine['search']) {
  const durations = queries.map(() => Infinity)
  for (let round = 0; round < rounds; round++) {
    for (const [place, query] of queries.entries()) {
      const start = performance.now()
      await search(query)
      durations[place] = Math.min(durations[place] ?? Infinity, performance.now() - start)
    }
  }
  durations.sort((one, other) => one - other)
  const take = (share: number) => durations[Math.floor(durations.length * share)] ?? 0
  return { p50Ms: take(0.5), p95Ms: take(0.95) }
}

function measureMemory(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1e6
}

const [name, kind, chunkCount, ...folders] = process.argv.slice(2)
const engine = allEngines.find((one) => one.name === name)
if (!engine || (kind !== 'quality' && kind !== 'scale')) throw new Error('Use: ENGINE quality|scale CHUNKS SET…')
const figures =
  kind === 'scale' ? await measureScale(engine, folders, Number(chunkCount)) : await measureAll(engine, folders)
process.send?.(figures)

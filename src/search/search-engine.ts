import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { BoundedCache } from './bounded-cache.ts'
import type { OpenedFile, SearchRequest } from './search-message.ts'
import type { IndexedPage, IndexHeader, Passage, Reader, SearchIndex, SearchQuery } from './search-query.ts'
import { SearchWorkerPool } from './search-worker-pool.ts'

/** The part of a logger that is needed here. */
export interface SearchLog {
  warn(fields: object, message: string): void
}

export interface SearchEngineOptions {
  /** Worker threads; by default one less than the machine runs at once, at least 1 and at most 4. */
  threads?: number
  /** What a request may take, waiting included. */
  timeLimitMs?: number
  log?: SearchLog
  /** Another thread that speaks as `search-worker` does. */
  startWorker?: () => Worker
}

/** Opens index files and answers from them in worker threads, so that the thread of the server never waits for a disk. */
export interface SearchEngine {
  /** @throws {Error} a sentence, when the file is missing, damaged or of another version. */
  open(file: string): Promise<SearchIndex>
  /** Ends the threads; what is under way is refused. */
  close(): Promise<void>
}

const timeLimitDefaultMs = 5_000
const threadsMax = 4
/** Passages kept per open index for queries that come again. */
const cachedPassagesMax = 2_000

export function createSearchEngine(options: SearchEngineOptions = {}): SearchEngine {
  const threads = options.threads ?? Math.min(threadsMax, Math.max(1, availableParallelism() - 1))
  const pool = new SearchWorkerPool({ timeLimitMs: timeLimitDefaultMs, ...options, threads })
  let lastIndex = 0
  return {
    async open(file) {
      const index = ++lastIndex
      const opened = await pool.open(index, file)
      return new PooledSearchIndex(pool, index, opened)
    },
    close: () => pool.close(),
  }
}

class PooledSearchIndex implements SearchIndex {
  readonly header: IndexHeader
  private readonly pool: SearchWorkerPool
  private readonly index: number
  private readonly answers = new BoundedCache<Passage[]>(cachedPassagesMax)

  constructor(pool: SearchWorkerPool, index: number, opened: OpenedFile) {
    this.pool = pool
    this.index = index
    this.header = opened.header
  }

  async search(query: SearchQuery, signal?: AbortSignal): Promise<Passage[]> {
    signal?.throwIfAborted()
    const key = getQueryKey(query)
    const known = this.answers.get(key)
    const passages = known ?? (await this.ask<Passage[]>({ kind: 'search', index: this.index, query }, signal))
    if (!known) this.answers.set(key, passages, passages.length + 1)
    // Callers own what they get: a change of theirs must not reach the next reader.
    return passages.map((passage) => ({ ...passage, headings: [...passage.headings] }))
  }

  readPage(path: string, reader: Reader, signal?: AbortSignal): Promise<IndexedPage | null> {
    return this.ask({ kind: 'read-page', index: this.index, path, reader }, signal)
  }

  listPages(reader: Reader, signal?: AbortSignal): Promise<Omit<IndexedPage, 'markdown'>[]> {
    return this.ask({ kind: 'list-pages', index: this.index, reader }, signal)
  }

  async close(): Promise<void> {
    this.pool.closeFile(this.index)
  }

  /** The worker answers each kind of request with the type that the index promises for it. */
  private ask<Value>(request: SearchRequest, signal: AbortSignal | undefined): Promise<Value> {
    return this.pool.ask(request, signal) as Promise<Value>
  }
}

/** Equal keys have equal answers: everything that a search depends on, in a fixed order. */
function getQueryKey(query: SearchQuery): string {
  const { text, limit, filter, readerGroups, isSignedIn, currentPath, scoreThreshold } = query
  const { version, language, tag, groups, pathPrefix } = filter
  const fields = [text, limit, version, language, tag, groups, pathPrefix]
  return JSON.stringify([...fields, readerGroups, isSignedIn, currentPath, scoreThreshold])
}

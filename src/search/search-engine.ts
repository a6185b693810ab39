import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { type Clock, systemClock } from '../base/clock.ts'
import { cutPastedError } from '../base/text-analysis/read-pasted-error.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Redirect } from '../content/links/redirect.ts'
import { runInSpan } from '../telemetry/work-context.ts'
import { BoundedCache } from '../base/bounded-cache.ts'
import { IndexReadError } from './index-file/index-read-error.ts'
import type { OpenedFile, SearchRequest } from './workers/search-message.ts'
import type {
  ExplainedSearch,
  FoundAddress,
  FoundPassages,
  IndexedPage,
  ListedPage,
  IndexHeader,
  PageOrigins,
  Passage,
  Reader,
  SearchIndex,
  SearchQuery,
  TermCounts,
} from './search-query.ts'
import { SearchWorkerPool } from './workers/search-worker-pool.ts'
import { VectorAttachment } from './vectors/vector-attachment.ts'

/** The part of a logger used here. */
export interface SearchLog {
  warn(fields: object, message: string): void
}

/** Embeds questions, for indexes that have vectors of the same model. */
export interface QuestionVectors {
  /** `provider/model`. */
  model: string
  /**
   * @param payer Who is charged, as given when the index was opened.
   * @returns Null if there is none in time; the search then uses words alone.
   */
  embed(text: string, payer: string, signal?: AbortSignal): Promise<Float32Array | null>
}

export interface SearchEngineOptions {
  /** Worker threads; by default one less than the available parallelism, at least 1 and at most 4. */
  threads?: number
  /** Time limit of a request, including its wait. */
  timeLimitMs?: number
  /** Longest queue for a thread, default 1,000. Further requests are rejected. */
  waitingMax?: number
  log?: SearchLog
  /** If absent, searches use words alone. */
  questions?: QuestionVectors | null
  clock?: Clock
  /** If absent, nothing is measured. */
  metrics?: Metrics
  /** Another thread that speaks the protocol of `search-worker`. */
  startWorker?: () => Worker
}

export interface OpenIndexHooks {
  payer?: string
  onVectorsLost?: () => void
}

/** Opens index files and answers from them in worker threads, so that the server's thread never waits for a disk. */
export interface SearchEngine {
  /**
   * @param hooks.payer Who is charged for embedding questions; only needed if there are vectors.
   * @param hooks.onVectorsLost Called if the vectors of the file turn out to be damaged or missing; searches then use
   *   words alone.
   * @throws {Error} a sentence, if the file is missing, damaged or of another version.
   */
  open(file: string, hooks?: OpenIndexHooks): Promise<SearchIndex>
  /** Ends the threads; pending requests are rejected. */
  close(): Promise<void>
}

export const timeLimitDefaultMs = 5_000
export const threadsMax = 4
/** Passages cached per open index for repeated queries. */
const cachedPassagesMax = 2_000

export function createSearchEngine(options: SearchEngineOptions = {}): SearchEngine {
  const threads = options.threads ?? Math.min(threadsMax, Math.max(1, availableParallelism() - 1))
  const pool = new SearchWorkerPool({ timeLimitMs: timeLimitDefaultMs, ...options, threads })
  let lastIndex = 0
  return {
    async open(file, { payer = '', onVectorsLost = () => {} } = {}) {
      const index = ++lastIndex
      const opened = await pool.open(index, file)
      const { questions = null, log, clock = systemClock } = options
      const meaning = questions && {
        payer,
        questions,
        vectors: new VectorAttachment(
          {
            clock,
            ...(log && { log }),
            open: () => pool.openVectors(index, questions.model),
            close: () => pool.closeVectors(index),
            onLost: onVectorsLost,
          },
          file,
        ),
      }
      await meaning?.vectors.look()
      return new PooledSearchIndex({ pool, clock, metrics: options.metrics }, index, opened, meaning)
    },
    close: () => pool.close(),
  }
}

interface PooledSearchDeps {
  pool: SearchWorkerPool
  clock: Clock
  metrics: Metrics | undefined
}

interface Meaning {
  payer: string
  questions: QuestionVectors
  vectors: VectorAttachment
}

class PooledSearchIndex implements SearchIndex {
  readonly header: IndexHeader
  private readonly deps: PooledSearchDeps
  private readonly index: number
  private readonly meaning: Meaning | null
  private readonly answers = new BoundedCache<FoundPassages>(cachedPassagesMax)

  constructor(deps: PooledSearchDeps, index: number, opened: OpenedFile, meaning: Meaning | null) {
    this.meaning = meaning
    this.deps = deps
    this.index = index
    this.header = opened.header
  }

  async search(asked: SearchQuery, signal?: AbortSignal): Promise<Passage[]> {
    signal?.throwIfAborted()
    const query = cutText(asked)
    this.meaning?.vectors.lookSoon()
    const key = getQueryKey(query)
    const meantKey = `meant ${key}`
    const known = this.answers.get(meantKey)
    const question = known ? null : await this.embed(query.text, signal)
    const { passages } = known ?? (await this.find(query, question, question === null ? key : meantKey, signal))
    // Callers own their results: changes must not reach the next reader.
    return passages.map((passage) => ({ ...passage, headings: [...passage.headings] }))
  }

  async countTerms(asked: SearchQuery, signal?: AbortSignal): Promise<TermCounts> {
    const query = cutText(asked)
    const key = getQueryKey(query)
    const found = this.answers.get(`meant ${key}`) ?? this.answers.get(key)
    return found?.termCounts ?? (await this.ask({ kind: 'count-terms', index: this.index, query }, signal))
  }

  async explain(asked: SearchQuery, signal?: AbortSignal): Promise<ExplainedSearch> {
    const query = cutText(asked)
    const question = await this.embed(query.text, signal)
    return this.askByMeaning({ kind: 'explain', index: this.index, query }, question, signal)
  }

  readPage(path: string, reader: Reader, signal?: AbortSignal): Promise<IndexedPage | null> {
    return this.ask({ kind: 'read-page', index: this.index, path, reader }, signal)
  }

  readImage(file: string, signal?: AbortSignal): Promise<Uint8Array | null> {
    return this.ask({ kind: 'read-image', index: this.index, file }, signal)
  }

  findAddress(path: string, reader: Reader, signal?: AbortSignal): Promise<FoundAddress> {
    return this.ask({ kind: 'find-address', index: this.index, path, reader }, signal)
  }

  listRedirects(reader: Reader, signal?: AbortSignal): Promise<Redirect[]> {
    return this.ask({ kind: 'list-redirects', index: this.index, reader }, signal)
  }

  readOrigins(path: string, reader: Reader, signal?: AbortSignal): Promise<PageOrigins | null> {
    return this.ask({ kind: 'read-origins', index: this.index, path, reader }, signal)
  }

  listPages(reader: Reader, signal?: AbortSignal): Promise<ListedPage[]> {
    return this.ask({ kind: 'list-pages', index: this.index, reader }, signal)
  }

  async close(): Promise<void> {
    this.deps.pool.closeFile(this.index)
  }

  private embed(text: string, signal: AbortSignal | undefined): Promise<Float32Array | null> | null {
    if (this.meaning === null) return null
    const { payer, questions, vectors } = this.meaning
    return vectors.isOpen ? questions.embed(text, payer, signal) : null
  }

  private async find(
    query: SearchQuery,
    question: Float32Array | null,
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<FoundPassages> {
    const known = this.answers.get(key)
    if (known) return known
    const request = { kind: 'search', index: this.index, query } as const
    const found = await this.askByMeaning<FoundPassages>(request, question, signal)
    this.answers.set(key, found, found.passages.length + 1)
    return found
  }

  /** Uses words alone if there is no question vector, or the vectors cannot be read. */
  private async askByMeaning<Value>(
    request: Extract<SearchRequest, { question?: Float32Array }>,
    question: Float32Array | null,
    signal: AbortSignal | undefined,
  ): Promise<Value> {
    if (question === null) return this.ask(request, signal)
    try {
      return await this.ask({ ...request, question }, signal)
    } catch (error) {
      if (!(error instanceof IndexReadError) || error.fault !== 'vectors') throw error
      this.meaning?.vectors.lose(error.message)
      return this.ask(request, signal)
    }
  }

  /** The worker answers each kind of request with the type that the index promises for it. */
  private ask<Value>(request: SearchRequest, signal: AbortSignal | undefined): Promise<Value> {
    const { pool, clock, metrics } = this.deps
    const { kind } = request
    const startedAt = clock.now()
    const ask = async () => {
      const value = await pool.ask(request, signal)
      metrics?.observe('docent_search_seconds', { kind }, (clock.now() - startedAt) / 1_000)
      return value as Value
    }
    return runInSpan(`index ${kind}`, {}, ask)
  }
}

/** Reduces a pasted error to its message. */
const cutText = (query: SearchQuery): SearchQuery => ({ ...query, text: cutPastedError(query.text) })

/** Everything that a search depends on, in a fixed order: equal keys have equal answers. */
function getQueryKey(query: SearchQuery): string {
  const { text, limit, filter, readerGroups, isSignedIn, currentPath, scoreThreshold, isForAnswer } = query
  const { version, language, tag, groups, pathPrefix, path } = filter
  const fields = [text, limit, version, language, tag, groups, pathPrefix, path]
  return JSON.stringify([...fields, readerGroups, isSignedIn, currentPath, scoreThreshold, isForAnswer])
}

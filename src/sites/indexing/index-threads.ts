import { Worker } from 'node:worker_threads'
import { DatabaseUnavailableError } from '../../store/database-error.ts'
import type { IndexRunProgress } from '../../store/sites/index-runs.ts'
import type { IndexSiteInput, IndexSiteResult } from './index-site.ts'
import type { IndexThreadMessage } from './index-site-thread.ts'
import type { GivenUpPage } from './reuse-parsed-pages.ts'

/** Bounds of one indexing run: a hostile or broken source costs findings or a failed run, never the process. */
const memoryMbMax = 2_048
/** The process keeps the young generation after the thread has ended. */
const resourceLimits = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: memoryMbMax }
const runMsMax = 15 * 60_000

/** Timeout for parsing one page. Real pages take milliseconds, the slowest one or two seconds. */
const pageMsMaxDefault = 10_000

/** With more than these, the source is hostile or the machine too slow. */
const givenUpPagesMaxDefault = 20

/**
 * How long an idle thread is kept for the next run: long enough for consecutive sources, short enough to be negligible
 * in an idle service.
 */
const idleMsMax = 10_000

export interface RunIndexWorkerOptions {
  signal: AbortSignal
  /** Called up to some thousand times a second. */
  onProgress(progress: IndexRunProgress): void
  /** Called when the source is open. */
  onRevision(revision: string): void
  pageMsMax?: number
  /** Most pages to give up on; one more fails the run. */
  givenUpPagesMax?: number
}

export interface IndexThreadsOptions {
  /** Another thread with the protocol of `index-site-thread.ts`. */
  entry?: URL
}

/**
 * Runs `indexSite` in separate threads, with bounded memory and time.
 *
 * A thread that finished successfully is kept for a moment, because loading its code takes longer than indexing a small
 * site.
 */
export class IndexThreads {
  readonly #entry: URL
  #idle: { worker: Worker; timer: NodeJS.Timeout } | null = null
  #isClosed = false

  constructor({ entry }: IndexThreadsOptions = {}) {
    this.#entry = entry ?? new URL('./index-site-worker.ts', import.meta.url)
  }

  /**
   * A page whose parsing hangs is terminated together with its thread, and the run restarts without it. Pages parsed
   * before are cached by then, so this costs little more than the timeout.
   *
   * @throws {Error} with a message, when the site cannot be indexed, a bound is exceeded, or `signal` aborts.
   */
  async run(input: Omit<IndexSiteInput, 'givenUp'>, options: RunIndexWorkerOptions): Promise<IndexSiteResult> {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(runMsMax)])
    const givenUp: GivenUpPage[] = []
    const { givenUpPagesMax = givenUpPagesMaxDefault } = options
    while (givenUp.length <= givenUpPagesMax) {
      signal.throwIfAborted()
      const end = await this.#runOnce({ ...input, givenUp }, { ...options, signal })
      if (end.kind === 'done') return end.result
      givenUp.push(end.page)
    }
    throw new Error(`More than ${givenUpPagesMax} pages could not be parsed. The last one: ${givenUp.at(-1)?.message}`)
  }

  /** Terminates the idle thread; busy ones end with the signals of their runs. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#takeIdle()?.terminate()
  }

  async #runOnce(input: IndexSiteInput, options: RunIndexWorkerOptions): Promise<ThreadEnd> {
    const worker = this.#takeIdle() ?? new Worker(this.#entry, { resourceLimits })
    const watch = new PageWatch(options.pageMsMax ?? pageMsMaxDefault)
    let end: ThreadEnd | null = null
    try {
      worker.postMessage(input)
      end = await readEnd(worker, watch, options)
      return end
    } finally {
      watch.end()
      if (end?.kind === 'done') await this.#keep(worker)
      else await worker.terminate()
    }
  }

  #takeIdle(): Worker | null {
    if (this.#idle === null) return null
    const { worker, timer } = this.#idle
    clearTimeout(timer)
    this.#idle = null
    removeListeners(worker).ref()
    return worker
  }

  async #keep(worker: Worker): Promise<void> {
    if (this.#isClosed || this.#idle !== null) return void (await worker.terminate())
    const drop = () => {
      if (this.#idle?.worker !== worker) return
      clearTimeout(this.#idle.timer)
      this.#idle = null
      void worker.terminate()
    }
    // Later events no longer concern any run.
    removeListeners(worker).on('error', drop).on('exit', drop).unref()
    this.#idle = { worker, timer: setTimeout(drop, idleMsMax).unref() }
  }
}

/** By name: removing all listeners would also remove the worker's internal ones and silence it. */
function removeListeners(worker: Worker): Worker {
  for (const event of ['message', 'error', 'exit']) worker.removeAllListeners(event)
  return worker
}

type ThreadEnd = { kind: 'done'; result: IndexSiteResult } | { kind: 'given-up'; page: GivenUpPage }

function readEnd(worker: Worker, watch: PageWatch, options: RunIndexWorkerOptions): Promise<ThreadEnd> {
  const { signal } = options
  return new Promise((resolve, reject) => {
    watch.onTooLong = (page) => resolve({ kind: 'given-up', page })
    worker.on('message', (message: IndexThreadMessage) => {
      watch.note(message)
      if (message.kind === 'progress') options.onProgress(message.progress)
      else if (message.kind === 'opened') options.onRevision(message.revision)
      else if (message.kind === 'done') resolve(message)
      else if (message.kind === 'failed') reject(readFailure(message))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      const page = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? watch.giveUp('runs out of memory') : null
      if (page !== null) resolve({ kind: 'given-up', page })
      else reject(new Error(`Indexing failed: ${error.message}`, { cause: error }))
    })
    worker.once('exit', () => reject(new Error('Indexing ended without a result. Try again.')))
    const stop = () => reject(new Error('Indexing was stopped: it took too long, or the process is shutting down.'))
    signal.addEventListener('abort', stop, { once: true })
  })
}

function readFailure({ message, isDiskFull }: Extract<IndexThreadMessage, { kind: 'failed' }>): Error {
  const cause = new Error(message)
  return isDiskFull ? new DatabaseUnavailableError('full', { cause }) : cause
}

/** Tracks which page a thread is parsing, and since when. */
class PageWatch {
  onTooLong: (page: GivenUpPage) => void = () => {}
  readonly #pageMsMax: number
  #page: { key: string; file: string } | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(pageMsMax: number) {
    this.#pageMsMax = pageMsMax
  }

  note(message: IndexThreadMessage): void {
    if (message.kind !== 'page-started' && message.kind !== 'page-ended') return
    this.end()
    if (message.kind === 'page-ended') return
    this.#page = message.page
    this.#timer = setTimeout(() => {
      const page = this.giveUp(`takes longer than ${this.#pageMsMax / 1_000} seconds`)
      if (page !== null) this.onTooLong(page)
    }, this.#pageMsMax)
  }

  /** @returns Null if no page was being parsed. */
  giveUp(reason: string): GivenUpPage | null {
    if (this.#page === null) return null
    const { key, file } = this.#page
    return { key, message: `Parsing ${file} ${reason}. Its text is left out. Split the page or simplify its markup.` }
  }

  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#page = null
  }
}

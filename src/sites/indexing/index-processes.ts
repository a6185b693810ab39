import { isOutOfMemory, type RunningProgram, startProgram } from '../../git/spawner/start-program.ts'
import { DatabaseUnavailableError } from '../../store/database-error.ts'
import type { IndexRunProgress } from '../../store/sites/index-runs.ts'
import type { IndexSiteInput, IndexSiteResult } from './index-site.ts'
import type { IndexMessage } from './index-site-program.ts'
import type { GivenUpPage } from './reuse-parsed-pages.ts'

/** Bounds of one indexing run: a hostile or broken source costs findings or a failed run, never the process. */
export const memoryMbMaxDefault = 2_048
export const runMsMax = 15 * 60_000

/** Timeout for parsing one page. Real pages take milliseconds, the slowest one or two seconds. */
const pageMsMaxDefault = 10_000

/** Whatever ended the process, a site at which it ends again is given up. */
const crashesMax = 1

/** With more than these, the source is hostile or the machine too slow. */
const givenUpPagesMaxDefault = 20

/**
 * How long an idle process is kept for the next run: long enough for consecutive sources, short enough to be negligible
 * in an idle service.
 */
const idleMsMax = 10_000

export interface RunIndexOptions {
  signal: AbortSignal
  /** Called up to some thousand times a second. */
  onProgress(progress: IndexRunProgress): void
  /** Called when the source is open. */
  onRevision(revision: string): void
  pageMsMax?: number
  /** Most pages to give up on; one more fails the run. */
  givenUpPagesMax?: number
}

export interface IndexProcessesOptions {
  /** Limit per process, by default 2,048. */
  memoryMbMax?: number
  /** Another program with the protocol of `index-site-program.ts`. */
  entry?: URL
}

/**
 * Runs `indexSite` in separate processes, with bounded memory and time. Their memory goes back to the system, which that
 * of threads does not.
 *
 * A process that finished successfully is kept for a moment, because loading its code takes longer than indexing a small
 * site. One that is killed is replaced, once, and begins again with the pages that it had parsed.
 */
export class IndexProcesses {
  readonly #entry: URL
  readonly #memoryMbMax: number
  #idle: { runner: IndexProcess; timer: NodeJS.Timeout } | null = null
  #isClosed = false

  constructor({ entry, memoryMbMax = memoryMbMaxDefault }: IndexProcessesOptions = {}) {
    this.#memoryMbMax = memoryMbMax
    this.#entry = entry ?? new URL('./index-site-worker.ts', import.meta.url)
  }

  /**
   * A page whose parsing hangs is terminated together with its process, and the run restarts without it. Pages parsed
   * before are cached by then, so this costs little more than the timeout.
   *
   * @throws {Error} with a message, when the site cannot be indexed, a bound is exceeded, or `signal` aborts.
   */
  async run(input: Omit<IndexSiteInput, 'givenUp'>, options: RunIndexOptions): Promise<IndexSiteResult> {
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(runMsMax)])
    const givenUp: GivenUpPage[] = []
    const { givenUpPagesMax = givenUpPagesMaxDefault } = options
    let crashes = 0
    while (givenUp.length <= givenUpPagesMax) {
      signal.throwIfAborted()
      const end = await this.#runOnce({ ...input, givenUp }, { ...options, signal })
      if (end.kind === 'done') return end.result
      if (end.kind === 'given-up') givenUp.push(end.page)
      else if (crashes++ === crashesMax) throw end.error
    }
    throw new Error(`More than ${givenUpPagesMax} pages could not be parsed. The last one: ${givenUp.at(-1)?.message}`)
  }

  /** Ends the idle process; busy ones end with the signals of their runs. */
  close(): void {
    this.#isClosed = true
    this.#acquireIdle()?.kill()
  }

  async #runOnce(input: IndexSiteInput, options: RunIndexOptions): Promise<RunEnd> {
    const runner = this.#acquireIdle() ?? new IndexProcess(this.#entry, this.#memoryMbMax)
    const end = await runner.run(input, options).catch((error: unknown) => {
      runner.kill()
      throw error
    })
    if (end.kind === 'done') this.#keep(runner)
    else runner.kill()
    return end
  }

  #acquireIdle(): IndexProcess | null {
    if (this.#idle === null) return null
    const { runner, timer } = this.#idle
    clearTimeout(timer)
    this.#idle = null
    return runner.hasEnded ? null : runner
  }

  #keep(runner: IndexProcess): void {
    if (this.#isClosed || this.#idle !== null) return runner.kill()
    const drop = () => {
      if (this.#idle?.runner === runner) this.#idle = null
      runner.kill()
    }
    this.#idle = { runner, timer: setTimeout(drop, idleMsMax).unref() }
  }
}

type RunEnd =
  | { kind: 'done'; result: IndexSiteResult }
  | { kind: 'given-up'; page: GivenUpPage }
  /** The process was killed, or what started it. */
  | { kind: 'crashed'; error: Error }

/** Runs one input after the other. */
class IndexProcess {
  hasEnded = false
  readonly #program: RunningProgram
  #take: (message: IndexMessage) => void = () => {}

  constructor(entry: URL, memoryMbMax: number) {
    this.#program = startProgram({ entry, memoryMbMax, onMessage: (message: IndexMessage) => this.#take(message) })
    void this.#program.ended.catch(() => {}).finally(() => (this.hasEnded = true))
  }

  async run(input: IndexSiteInput, options: RunIndexOptions): Promise<RunEnd> {
    const { signal } = options
    const watch = new PageWatch(options.pageMsMax ?? pageMsMaxDefault)
    const { promise, resolve, reject } = Promise.withResolvers<RunEnd>()
    const stop = () => reject(new Error('Indexing was stopped: it took too long, or the process is shutting down.'))
    signal.addEventListener('abort', stop, { once: true })
    watch.onTooLong = (page) => resolve({ kind: 'given-up', page })
    this.#take = (message) => {
      watch.note(message)
      if (message.kind === 'progress') options.onProgress(message.progress)
      else if (message.kind === 'opened') options.onRevision(message.revision)
      else if (message.kind === 'done') resolve(message)
      else if (message.kind === 'failed') reject(readFailure(message))
    }
    this.#program.ended.then(
      ({ stderr }) => resolve(readCrash(stderr, watch)),
      (error: unknown) =>
        resolve({ kind: 'crashed', error: error instanceof Error ? error : new Error(String(error)) }),
    )
    this.#program.ref()
    this.#program.send(input)
    try {
      return await promise
    } finally {
      watch.end()
      signal.removeEventListener('abort', stop)
      this.#take = () => {}
      this.#program.unref()
    }
  }

  kill(): void {
    this.#program.kill()
  }
}

function readCrash(stderr: string, watch: PageWatch): RunEnd {
  const page = isOutOfMemory(stderr) ? watch.giveUp('runs out of memory') : null
  if (page !== null) return { kind: 'given-up', page }
  const reason = isOutOfMemory(stderr) ? 'The site takes too much memory.' : 'The process ended without a result.'
  return { kind: 'crashed', error: new Error(`Indexing failed: ${reason}`, { cause: stderr }) }
}

function readFailure({ message, isDiskFull }: Extract<IndexMessage, { kind: 'failed' }>): Error {
  const cause = new Error(message)
  return isDiskFull ? new DatabaseUnavailableError('full', { cause }) : cause
}

/** Tracks which page a process is parsing, and since when. */
class PageWatch {
  onTooLong: (page: GivenUpPage) => void = () => {}
  readonly #pageMsMax: number
  #page: { key: string; file: string } | null = null
  #timer: NodeJS.Timeout | null = null

  constructor(pageMsMax: number) {
    this.#pageMsMax = pageMsMax
  }

  note(message: IndexMessage): void {
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

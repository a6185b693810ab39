import { type Transferable, Worker } from 'node:worker_threads'
import { OneAtATime } from './one-at-a-time.ts'

export interface WorkThreadOptions {
  /** A module that calls `serveThread`. */
  entry: URL
  /** Subject of error sentences, such as "The checks". */
  what: string
  memoryMbMax: number
  /** Time limit for one request, including the start of the thread. */
  msMax: number
  /** Time after which an idle thread ends. Default: it lives until `close`. */
  idleMsMax?: number
}

/** Messages to and from a thread. */
export interface ThreadOrder<Request> {
  id: number
  request: Request
}
export type ThreadReply<Result> = { id: number; result: Result } | { id: number; failure: string }

/** The process keeps a thread's memory, so the young generation is small. */
const youngMbMax = 8

interface Waiting<Result> {
  resolve(result: Result): void
  reject(error: Error): void
}

/** Runs CPU-bound work in its own thread, one piece at a time. The thread starts on first use. */
export class WorkThread<Request, Result> {
  readonly #options: WorkThreadOptions
  readonly #order = new OneAtATime()
  #waiting: (Waiting<Result> & { id: number }) | null = null
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #lastId = 0

  constructor(options: WorkThreadOptions) {
    this.#options = options
  }

  /**
   * @param transfer Buffers of the request to transfer instead of copy.
   * @throws {Error} with a sentence, when the work fails, takes too long or too much memory; the next gets a new thread.
   * @throws The reason of the signal when that aborts.
   */
  run(request: Request, signal: AbortSignal, transfer: readonly Transferable[] = []): Promise<Result> {
    // One at a time, so that each request's time limit covers only itself.
    return this.#order.run('', () => this.#run(request, signal, transfer))
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = null
    this.#waiting?.reject(new Error(`${this.#options.what} were stopped.`))
    await worker?.terminate()
  }

  async #run(request: Request, signal: AbortSignal, transfer: readonly Transferable[]): Promise<Result> {
    signal.throwIfAborted()
    const { what, msMax } = this.#options
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const timer = setTimeout(() => this.#end(`${what} took longer than ${msMax / 1_000} s.`), msMax)
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting = { id, resolve, reject }
    clearTimeout(this.#idle)
    this.#thread().postMessage({ id, request } satisfies ThreadOrder<Request>, transfer)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.#waiting = null
      this.#endWhenIdle()
    }
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker
    const { entry, what, memoryMbMax } = this.#options
    const worker = new Worker(entry, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMbMax, maxYoungGenerationSizeMb: youngMbMax },
    })
    worker.on('message', (reply: ThreadReply<Result>) => {
      if (reply.id !== this.#waiting?.id) return
      if ('result' in reply) this.#waiting.resolve(reply.result)
      else this.#waiting.reject(new Error(reply.failure))
    })
    worker.once('error', (error) => this.#end(`${what} failed: ${error.message}`, worker))
    worker.once('exit', () => this.#end(`${what} ended without a result.`, worker))
    // An idle thread must not keep a command from exiting.
    worker.unref()
    this.#worker = worker
    return worker
  }

  #endWhenIdle(): void {
    const { idleMsMax, what } = this.#options
    if (idleMsMax !== undefined) this.#idle = setTimeout(() => this.#end(`${what} were stopped.`), idleMsMax).unref()
  }

  #end(message: string, worker: Worker | null = this.#worker): void {
    if (worker === null || worker !== this.#worker) return
    this.#worker = null
    this.#waiting?.reject(new Error(message))
    void worker.terminate()
  }
}

import { Worker } from 'node:worker_threads'
import type { AgentProblem } from '../contract/agent-job-event.ts'
import type { CheckMessage, CheckOrder, CheckRequest } from './check-message.ts'
import { OneAtATime } from './one-at-a-time.ts'

/** A hostile page costs one check, never the process. */
const memoryMbMax = 1_024
const checkMsMaxDefault = 90_000

interface Waiting {
  resolve(problems: AgentProblem[]): void
  reject(error: Error): void
}

/** Runs the checks of changes in a thread of its own, started when it is first needed, because parsing would hold up the server. */
export class CheckThread {
  readonly #checkMsMax: number
  readonly #order = new OneAtATime()
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #lastId = 0

  constructor(checkMsMax: number = checkMsMaxDefault) {
    this.#checkMsMax = checkMsMax
  }

  /**
   * @throws {Error} with a sentence, when the check fails, takes too long or the thread ends; the next check gets a new one.
   * @throws The reason of the signal when that aborts.
   */
  check(request: CheckRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    // One after the other, so that the time of a check is its own and not that of those before it.
    return this.#order.run('', () => this.#run(request, signal))
  }

  async #run(request: CheckRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    signal.throwIfAborted()
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<AgentProblem[]>()
    const timer = setTimeout(
      () => this.#end(`The checks took longer than ${this.#checkMsMax / 1_000} s.`),
      this.#checkMsMax,
    )
    const onAbort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.set(id, { resolve, reject })
    this.#thread().postMessage({ id, request } satisfies CheckOrder)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.#waiting.delete(id)
    }
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(new Error('The checks were stopped.'))
    await worker?.terminate()
  }

  #thread(): Worker {
    if (this.#worker !== null) return this.#worker
    // The same code runs as TypeScript from a checkout and as JavaScript from a package.
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const entry = new URL(`./check-change-worker.${extension}`, import.meta.url)
    const worker = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: memoryMbMax } })
    worker.on('message', (message: CheckMessage) => {
      const waiting = this.#waiting.get(message.id)
      if ('problems' in message) waiting?.resolve(message.problems)
      else waiting?.reject(new Error(message.failure))
    })
    worker.once('error', (error) => this.#end(`The checks failed: ${error.message}`, worker))
    worker.once('exit', () => this.#end('The checks ended without a result.', worker))
    // A thread that waits for nothing must not keep a command from ending.
    worker.unref()
    this.#worker = worker
    return worker
  }

  #end(message: string, worker: Worker | null = this.#worker): void {
    if (worker === null || worker !== this.#worker) return
    this.#worker = null
    for (const { reject } of this.#waiting.values()) reject(new Error(message))
    void worker.terminate()
  }
}

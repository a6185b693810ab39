import { Worker } from 'node:worker_threads'

export interface RenderRequest {
  markdown: string
  /** Put before root-relative links. */
  base: string
  /** Put before the ids of headings and footnotes; nothing by default. */
  idPrefix?: string
}

export type RenderReply = { kind: 'ready' } | { kind: 'rendered'; html: string }

export type RenderOutcome =
  | { kind: 'rendered'; html: string }
  /** It took too long or too much memory, and would again. */
  | { kind: 'too-costly' }
  /** Too many pages wait already. */
  | { kind: 'busy' }

interface RenderJob extends RenderRequest {
  resolve(outcome: RenderOutcome): void
}

export interface MarkdownRendererOptions {
  /** What one page may take; the start of the thread is not counted. */
  timeLimitMs?: number
  /** After this time without work the thread ends and gives its memory back. */
  idleMs?: number
}

const timeLimitDefaultMs = 3_000
const idleDefaultMs = 60_000
const waitingMax = 100
const memoryMegabytesMax = 192

/** Compiled code spawns compiled code; sources spawn sources, which Node runs as they are. */
const workerUrl = new URL(`./render-markdown-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

/** Renders pages in a thread, one at a time. A page that takes too long costs the thread, which is replaced. */
export class MarkdownRenderer {
  readonly #timeLimitMs: number
  readonly #idleMs: number
  readonly #waiting: RenderJob[] = []
  #worker: Worker | null = null
  #isReady = false
  #current: RenderJob | null = null
  #timer: NodeJS.Timeout | undefined

  constructor({ timeLimitMs = timeLimitDefaultMs, idleMs = idleDefaultMs }: MarkdownRendererOptions = {}) {
    this.#timeLimitMs = timeLimitMs
    this.#idleMs = idleMs
  }

  render(request: RenderRequest): Promise<RenderOutcome> {
    if (this.#waiting.length >= waitingMax) return Promise.resolve({ kind: 'busy' })
    return new Promise((resolve) => {
      this.#waiting.push({ ...request, resolve })
      this.#work()
    })
  }

  #work(): void {
    if (this.#current !== null) return
    this.#current = this.#waiting.shift() ?? null
    if (this.#current === null) return this.#armTimer(this.#idleMs)
    this.#worker ??= this.#startWorker()
    if (this.#isReady) this.#sendCurrent(this.#worker)
  }

  #sendCurrent(worker: Worker): void {
    if (this.#current === null) return
    const { resolve: _resolve, ...request } = this.#current
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage(request)
    this.#armTimer(this.#timeLimitMs)
  }

  #startWorker(): Worker {
    const worker = new Worker(workerUrl, { resourceLimits: { maxOldGenerationSizeMb: memoryMegabytesMax } })
    worker.on('message', (reply: RenderReply) => {
      if (this.#worker !== worker) return
      this.#isReady = true
      if (reply.kind === 'ready') this.#sendCurrent(worker)
      else this.#finish(reply)
    })
    // A thread that runs out of memory ends with both events; without a listener the first would end the process.
    worker.on('error', () => undefined)
    worker.on('exit', () => this.#worker === worker && this.#dropWorker())
    // Nothing is lost with it, so it keeps no process alive. Last, because a listener for messages holds it again.
    worker.unref()
    return worker
  }

  #finish(outcome: RenderOutcome): void {
    clearTimeout(this.#timer)
    this.#current?.resolve(outcome)
    this.#current = null
    this.#work()
  }

  /** Forgotten before it has ended, so that nothing more is sent to it. */
  #dropWorker(): void {
    const worker = this.#worker
    this.#worker = null
    this.#isReady = false
    worker?.terminate().catch(() => undefined)
    if (this.#current !== null) this.#finish({ kind: 'too-costly' })
  }

  #armTimer(limitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#dropWorker(), limitMs).unref()
  }
}

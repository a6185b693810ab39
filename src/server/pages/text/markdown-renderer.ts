import { Worker } from 'node:worker_threads'
import type { RenderedMarkdown } from './render-markdown.ts'

export interface RenderRequest {
  markdown: string
  /** Prefix for root-relative links. */
  base: string
  /** Prefix for the ids of headings and footnotes; empty by default. */
  idPrefix?: string
}

export type RenderReply = { kind: 'ready' } | ({ kind: 'rendered' } & RenderedMarkdown)

export type RenderOutcome =
  | ({ kind: 'rendered' } & RenderedMarkdown)
  /** Rendering took too long or too much memory, and would again. */
  | { kind: 'too-costly' }
  /** Too many pages are waiting. */
  | { kind: 'busy' }

interface RenderJob extends RenderRequest {
  resolve(outcome: RenderOutcome): void
}

export interface MarkdownRendererOptions {
  /** Time limit per page, not counting the start of the thread. */
  timeLimitMs?: number
  /** The thread ends after this long without work, to free its memory. */
  idleMs?: number
}

const timeLimitDefaultMs = 3_000
const idleDefaultMs = 60_000
const waitingMax = 100
const memoryMegabytesMax = 192

/** Compiled code spawns compiled code; sources spawn sources, which Node runs directly. */
const workerUrl = new URL('./render-markdown-worker.ts', import.meta.url)

/** Renders pages in a thread, one at a time. If a page takes too long, the thread is killed and replaced. */
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
    // A thread that runs out of memory emits both events; without a listener, the first would crash the process.
    worker.on('error', () => undefined)
    worker.on('exit', () => this.#worker === worker && this.#dropWorker())
    // Nothing is lost if it dies, so do not let it keep the process alive. Must come last: adding a message listener
    // refs the worker again.
    worker.unref()
    return worker
  }

  #finish(outcome: RenderOutcome): void {
    clearTimeout(this.#timer)
    this.#current?.resolve(outcome)
    this.#current = null
    this.#work()
  }

  /** Dropped before it has exited, so that nothing more is sent to it. */
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

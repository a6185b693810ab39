import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { FairGate } from '../../base/fair-gate.ts'
import { AppError } from '../../contract/app-error.ts'
import { IndexReadError } from '../index-file/index-read-error.ts'
import type { SearchLog } from '../search-engine.ts'
import type { OpenedFile, SearchRequest, WorkerMessage, WorkerReply } from './search-message.ts'

export interface SearchWorkerPoolOptions {
  threads: number
  timeLimitMs: number
  log?: SearchLog
  /** By default the compiled or source `search-worker` beside this file. */
  startWorker?: () => Worker
  /** Longest queue for a thread, default 1,000. Further requests are rejected. */
  waitingMax?: number
}

interface PendingRequest {
  resolve(value: unknown): void
  reject(error: unknown): void
  /** The worker's reply count when this was sent: if it has not grown at the time limit, the worker is stuck. */
  repliesBefore: number
}

/** A thread and its pending requests. */
interface WorkerSlot {
  worker: Worker
  pending: Map<number, PendingRequest>
  replies: number
  /** Sent at the end of the turn of the event loop: waking a thread costs more than what it is told. */
  outbox: WorkerMessage[]
}

interface OpenPoolFile {
  file: string
  stamp: string
  /** The model of its open vectors; null for none. */
  vectorModel: string | null
}

/**
 * Little outlives a search; without a limit, the young generation of an idle thread keeps the size of the last peak.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8 }

/** Requests sent to a thread at once: the one in progress, and a few more, so that it need not wait for the next. */
export const sentPerThreadMax = 4

export const waitingMaxDefault = 1_000

/** Long enough for a large file on a cold disk; only a swap of generations waits for it. */
const openTimeLimitMs = 60_000

/** Compiled code spawns compiled code; sources spawn sources, which Node runs as they are. */
const workerUrl = new URL('./search-worker.ts', import.meta.url)

/** Worker threads that all have the same files open. A thread that dies or hangs is replaced. */
export class SearchWorkerPool {
  private readonly options: SearchWorkerPoolOptions
  private readonly slots: WorkerSlot[] = []
  private readonly files = new Map<number, OpenPoolFile>()
  /** Shares the threads fairly between indexes. */
  private readonly gate: FairGate
  private lastRequest = 0
  private isClosed = false

  constructor(options: SearchWorkerPoolOptions) {
    this.options = options
    this.gate = new FairGate({
      runningMax: options.threads * sentPerThreadMax,
      waitingMax: options.waitingMax ?? waitingMaxDefault,
      waitMsMax: options.timeLimitMs,
      refuse: overloaded,
    })
  }

  /** Opens a file in every thread, so that it stays readable even if its name is reused or removed. */
  async open(index: number, file: string): Promise<OpenedFile> {
    this.assertOpen()
    this.fillSlots()
    const opened = await Promise.allSettled(this.slots.map((slot) => this.openIn(slot, index, file)))
    const failed = opened.find((result) => result.status === 'rejected')
    const first = opened.find((result) => result.status === 'fulfilled')
    if (failed || !first) {
      this.closeFile(index)
      throw failed?.reason ?? new Error('The search engine has no threads. Set at least one.')
    }
    this.files.set(index, { file, stamp: first.value.stamp, vectorModel: null })
    return first.value
  }

  /**
   * Opens the vectors of an open file in every thread.
   *
   * @returns Whether every thread now has vectors of this model.
   * @throws {Error} a sentence, if they are missing or damaged.
   */
  async openVectors(index: number, model: string): Promise<boolean> {
    this.assertOpen()
    const open = this.files.get(index)
    if (!open) return false
    const opened = await Promise.all(this.slots.map((slot) => this.openVectorsIn(slot, index, model)))
    const isOpen = opened.every(Boolean)
    if (isOpen) open.vectorModel = model
    return isOpen
  }

  /** Searches of this index now use words alone, until its vectors are opened again. */
  closeVectors(index: number): void {
    const open = this.files.get(index)
    if (open) open.vectorModel = null
    for (const slot of this.slots) postToWorker(slot, { id: null, closeVectors: index })
  }

  closeFile(index: number): void {
    this.files.delete(index)
    for (const slot of this.slots) postToWorker(slot, { id: null, close: index })
  }

  /**
   * Goes to the least busy thread.
   *
   * @throws {AppError} `overloaded` if too many requests wait or this one has waited too long.
   */
  ask(request: SearchRequest, signal?: AbortSignal): Promise<unknown> {
    return this.gate.run(readLine(request), () => this.askThread(request, signal), signal)
  }

  private async askThread(request: SearchRequest, signal?: AbortSignal): Promise<unknown> {
    this.assertOpen()
    this.fillSlots()
    const [first, ...others] = this.slots
    if (!first) throw new Error('The search engine has no threads. Set at least one.')
    const slot = others.reduce((least, other) => (other.pending.size < least.pending.size ? other : least), first)
    return this.send(slot, request, signal)
  }

  async close(): Promise<void> {
    this.isClosed = true
    this.files.clear()
    const slots = this.slots.splice(0)
    const closed = new Error('The search engine was closed. Ask again once the server is back.')
    for (const slot of slots) rejectPending(slot, closed)
    await Promise.all(slots.map((slot) => slot.worker.terminate()))
  }

  private assertOpen(): void {
    if (this.isClosed) throw new Error('The search engine is closed. Ask again once the server is back.')
  }

  private send(slot: WorkerSlot, request: SearchRequest, signal?: AbortSignal): Promise<unknown> {
    const id = ++this.lastRequest
    const timeLimitMs =
      request.kind === 'open' || request.kind === 'open-vectors' ? openTimeLimitMs : this.options.timeLimitMs
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        slot.pending.delete(id)
      }
      const timer = setTimeout(() => {
        const isStuck = slot.pending.get(id)?.repliesBefore === slot.replies
        finish()
        reject(new Error(`The search took longer than ${timeLimitMs} ms. Try again with fewer words.`))
        if (isStuck) this.replaceWorker(slot, 'search worker gave no answer')
      }, timeLimitMs)
      const abort = () => {
        finish()
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort)
      slot.pending.set(id, {
        repliesBefore: slot.replies,
        resolve: (value) => (finish(), resolve(value)),
        reject: (error) => (finish(), reject(error)),
      })
      postToWorker(slot, { id, request })
    })
  }

  private async openIn(slot: WorkerSlot, index: number, file: string): Promise<OpenedFile> {
    // The worker answers `open` with this type.
    return (await this.send(slot, { kind: 'open', index, file })) as OpenedFile
  }

  private async openVectorsIn(slot: WorkerSlot, index: number, model: string): Promise<boolean> {
    return (await this.send(slot, { kind: 'open-vectors', index, model })) === true
  }

  /** Starts missing threads, with every open file. */
  private fillSlots(): void {
    while (this.slots.length < this.options.threads) {
      const slot = this.startSlot()
      this.slots.push(slot)
      for (const [index, open] of this.files) void this.reopen(slot, index, open)
    }
  }

  private startSlot(): WorkerSlot {
    const worker = (this.options.startWorker ?? startSearchWorker)()
    const slot: WorkerSlot = { worker, pending: new Map(), replies: 0, outbox: [] }
    worker.on('message', (reply: WorkerReply) => settleReply(slot, reply))
    worker.on('error', (error) => this.replaceWorker(slot, error.message))
    worker.on('exit', () => this.replaceWorker(slot, 'search worker ended'))
    // A pending request keeps the process alive through its time limit; an idle thread should not.
    worker.unref()
    return slot
  }

  /** Once per slot: an error is followed by an exit, which finds the slot gone. */
  private replaceWorker(slot: WorkerSlot, reason: string): void {
    const position = this.slots.indexOf(slot)
    if (position < 0 || this.isClosed) return
    this.slots.splice(position, 1)
    this.options.log?.warn({ reason, pending: slot.pending.size }, 'search-worker-replaced')
    const sentence = 'The search stopped unexpectedly and was restarted. Repeat the search.'
    rejectPending(slot, new IndexReadError('lost', sentence))
    void slot.worker.terminate()
    // A thread that never answered would die again immediately; the next request retries.
    if (slot.replies > 0) this.fillSlots()
  }

  /**
   * A different file under the same name is not the index that was opened, so it is closed: no answer is better than a
   * wrong one.
   */
  private async reopen(slot: WorkerSlot, index: number, { file, stamp, vectorModel }: OpenPoolFile): Promise<void> {
    try {
      const opening = this.openIn(slot, index, file)
      // Sent immediately, so that a search sent later finds both open. Without vectors it uses words alone.
      if (vectorModel !== null) this.openVectorsIn(slot, index, vectorModel).catch(() => undefined)
      const opened = await opening
      if (opened.stamp === stamp) return
      postToWorker(slot, { id: null, close: index })
      this.options.log?.warn({ file }, 'search-index-replaced-while-open')
    } catch (error) {
      this.options.log?.warn({ file, reason: String(error) }, 'search-index-lost')
    }
  }
}

/** The fairness queue of a request. */
function readLine(request: SearchRequest): string {
  const isForAnswer = 'query' in request && request.query.isForAnswer === true
  return `${request.index}${isForAnswer ? ' answers' : ''}`
}

function overloaded(): AppError {
  const message = 'Too many searches are running. Try again in 2 seconds.'
  return new AppError('overloaded', message, { headers: { 'Retry-After': '2' } })
}

function startSearchWorker(): Worker {
  // The worker needs nothing else of the parent's flags and environment, and a test runner's would interfere.
  const cache = getCompileCacheDir()
  const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
  return new Worker(workerUrl, { execArgv: [], env, name: 'search', resourceLimits })
}

function postToWorker(slot: WorkerSlot, message: WorkerMessage): void {
  slot.outbox.push(message)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  if (slot.outbox.length === 1) setImmediate(() => slot.worker.postMessage(slot.outbox.splice(0)))
}

function settleReply(slot: WorkerSlot, reply: WorkerReply): void {
  slot.replies++
  const pending = slot.pending.get(reply.id)
  if (!pending) return
  if ('error' in reply) pending.reject(new IndexReadError(reply.fault, reply.error))
  else pending.resolve('json' in reply ? JSON.parse(reply.json) : reply.value)
}

function rejectPending(slot: WorkerSlot, error: Error): void {
  for (const pending of slot.pending.values()) pending.reject(error)
}

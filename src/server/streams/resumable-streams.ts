import type { IdSource } from '../../base/ids.ts'
import { getStreamChat, requestStreamStop } from '../../store/streams/stream-events.ts'
import type { StreamWakes } from '../../store/streams/stream-wakes.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Log } from '../../telemetry/log.ts'
import type { StartCountdown } from './countdown.ts'
import { FlushQueue } from './flush-queue.ts'
import { followStoredStream } from './follow-stored-stream.ts'
import { type ResumableAnswer, ResumableStream, type StreamOwner } from './resumable-stream.ts'
import type { StreamLog } from './stream-log.ts'
import { drainedMessage } from './write-answer-stream.ts'

export interface ResumableStreamsDeps extends StoreDeps {
  ids: IdSource
  log: Log
  /** Between the process that writes an answer and those that read it. */
  wakes: StreamWakes
  /** How long an answer continues without a reader. */
  graceMs: number
  startCountdown: StartCountdown
  /** Aborts when the process is about to stop: running answers end with an error message. */
  drainSignal: AbortSignal
}

/** An answer to resume. */
export interface FoundStream {
  read(readLog: (log: StreamLog) => Promise<'finished' | 'disconnected'>): Promise<'finished' | 'disconnected'>
}

/** How long an ended answer can be reread; longer if no reader received all of it. */
const deliveredKeptMs = 60_000
const endedKeptMs = 300_000

/** Characters of ended answers kept in memory. The oldest are dropped first; copies in the database stay. */
const endedCharsMax = 16_000_000

/** Interval at which running answers show that they are alive and expired ones are dropped. */
const beatMs = 1_000

/** Longest wait at shutdown for sources that were told to stop. */
const closeMs = 2_000

/**
 * The resumable answers of this process: the newest of each chat.
 *
 * An answer can be reread with the key, address and audience it was made for, unless another address or `fp` has used
 * the chat id: clients choose chat ids, and some use the same one for everybody.
 */
export class ResumableStreams {
  readonly #deps: ResumableStreamsDeps
  readonly #queue: FlushQueue
  /** By key and chat. */
  readonly #streams = new Map<string, ResumableStream>()
  readonly #running = new Set<ResumableStream>()
  /** When each ended, in order. */
  readonly #ended = new Map<ResumableStream, number>()
  #endedChars = 0
  readonly #beat: NodeJS.Timeout

  constructor(deps: ResumableStreamsDeps) {
    this.#deps = deps
    this.#queue = new FlushQueue({ ...deps, keptUntil: (stream) => keptUntil(stream, deps.clock.now()) })
    this.#beat = setInterval(() => this.#onBeat(), beatMs)
    this.#beat.unref()
    deps.drainSignal.addEventListener('abort', () => this.#failRunning(), { once: true })
  }

  /** Starts an answer, which replaces the chat's previous one. */
  start(owner: StreamOwner, answer: ResumableAnswer): ResumableStream {
    const { ids, graceMs, startCountdown } = this.#deps
    const name = nameOf(owner)
    const before = this.#streams.get(name)
    const stream = new ResumableStream(owner, answer, {
      id: ids.ulid(),
      graceMs,
      startCountdown,
      onChange: (changed) => this.#onChange(changed),
      isReadElsewhere: (changed) => this.#queue.lastReadElsewhere(changed) + graceMs > this.#deps.clock.now(),
    })
    this.#streams.set(name, stream)
    this.#running.add(stream)
    this.#queue.add(stream, { isShared: before !== undefined && this.#isSharedBy(before, stream) })
    if (before !== undefined) this.#replace(before)
    return stream
  }

  /** Finds the chat's newest answer, here or in another process; null if there is none that this reader may have. */
  async find(owner: StreamOwner): Promise<FoundStream | null> {
    const local = await this.#findHere(owner)
    if (local !== 'elsewhere') return local
    const chat = await this.#findStored(owner)
    if (chat === null) return null
    return {
      read: async (readLog) => {
        const reading = new AbortController()
        const outcome = await readLog(followStoredStream(this.#deps, chat, reading.signal))
        reading.abort()
        return outcome
      },
    }
  }

  /** Ends the chat's running answer. @returns Whether there was one that this client may end. */
  async stop(owner: StreamOwner): Promise<boolean> {
    const local = await this.#findHere(owner)
    if (local === null) return false
    if (local !== 'elsewhere') {
      const wasRunning = local.isRunning
      local.stop()
      return wasRunning
    }
    const chat = await this.#findStored(owner)
    return chat !== null && requestStreamStop(this.#deps.store.relaxed, chat)
  }

  /** Ends running answers with an error message. Resolves when they are stored, or after a timeout. */
  async close(): Promise<void> {
    clearInterval(this.#beat)
    const running = [...this.#running]
    this.#failRunning()
    const timeout = Promise.withResolvers<void>()
    const timer = setTimeout(timeout.resolve, closeMs)
    await Promise.race([Promise.all(running.map(({ done }) => done)), timeout.promise])
    clearTimeout(timer)
    await this.#queue.close()
  }

  /** `elsewhere`: this process does not have the chat's newest answer. */
  async #findHere(owner: StreamOwner): Promise<ResumableStream | 'elsewhere' | null> {
    const stream = this.#streams.get(nameOf(owner))
    if (stream === undefined) return 'elsewhere'
    // Only the database knows whether another process has served the same chat id since.
    this.#queue.touch(stream)
    await this.#queue.flush()
    if (this.#queue.isSuperseded(stream)) return 'elsewhere'
    return isFor(stream.owner, owner) && !this.#queue.isShared(stream) ? stream : null
  }

  async #findStored(owner: StreamOwner) {
    const { store, clock } = this.#deps
    const chat = await getStreamChat(store.relaxed, owner.keyId, owner.chatId)
    if (chat === null || chat.isShared || !isFor(chat, owner)) return null
    return chat.keptUntil === null || chat.keptUntil > clock.now() ? chat : null
  }

  #replace(before: ResumableStream): void {
    this.#queue.forget(before)
    before.giveUpUnread()
    if (this.#ended.has(before)) this.#forget(before)
  }

  #failRunning(): void {
    for (const stream of this.#running) stream.fail(drainedMessage)
  }

  #isSharedBy(before: ResumableStream, next: ResumableStream): boolean {
    return this.#queue.isShared(before) || before.fp !== next.fp || before.owner.address !== next.owner.address
  }

  #onChange(stream: ResumableStream): void {
    this.#queue.touchText(stream)
    if (stream.isRunning || !this.#running.delete(stream)) return
    this.#queue.touch(stream)
    this.#endedChars += stream.log.chars
    this.#ended.set(stream, this.#deps.clock.now())
  }

  #onBeat(): void {
    for (const stream of this.#running) this.#queue.touch(stream)
    const now = this.#deps.clock.now()
    for (const [stream, endedAt] of this.#ended) {
      if (keptUntil(stream, endedAt) <= now || this.#endedChars > endedCharsMax) this.#forget(stream)
    }
  }

  #forget(stream: ResumableStream): void {
    this.#ended.delete(stream)
    this.#endedChars -= stream.log.chars
    this.#queue.forget(stream)
    const name = nameOf(stream.owner)
    if (this.#streams.get(name) === stream) this.#streams.delete(name)
  }
}

function keptUntil(stream: ResumableStream, endedAt: number): number {
  return endedAt + (stream.isDelivered ? deliveredKeptMs : endedKeptMs)
}

function nameOf({ keyId, chatId }: StreamOwner): string {
  return `${keyId}\u0000${chatId}`
}

function isFor(stream: Pick<StreamOwner, 'address' | 'audience'>, reader: StreamOwner): boolean {
  return stream.address === reader.address && stream.audience === reader.audience
}

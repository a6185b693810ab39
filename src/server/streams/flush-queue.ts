import { isRecent } from '../../base/is-recent.ts'
import { AppError } from '../../contract/app-error.ts'
import {
  insertStreamPieces,
  saveStreamChats,
  type StreamChat,
  type StreamChatState,
  type StreamPiece,
} from '../../store/streams/stream-events.ts'
import type { StreamWakes } from '../../store/streams/stream-wakes.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Log } from '../../telemetry/log.ts'
import type { ResumableStream } from './resumable-stream.ts'

export interface FlushQueueDeps extends StoreDeps {
  log: Log
  /** Notifies readers in other processes of new text. */
  wakes: StreamWakes
  /** When the text of an ended answer expires. */
  keptUntil: (stream: ResumableStream) => number
}

/** How long text waits to be batched with that of other answers. */
const flushMs = 40

/**
 * Younger answers with a reader are not written yet, because most answers of a fast model finish by then. A reader who
 * reconnects to another process within that time has left the first one, which then writes immediately.
 */
const youngMs = 250

/** Pause after a failed write. */
const retryMs = 1_000

/** Readers in other processes report every second; one that has not for this long is gone. */
const readElsewhereMs = 5_000

/** Keeps statements below the parameter limits of both databases. */
const rowsMax = 500

interface Entry {
  stream: ResumableStream
  addedAt: number
  isChatDue: boolean
  /** Chunks of the log that are already in the database. */
  savedChunks: number
  nextSeq: number
  isEndSaved: boolean
  isShared: boolean
  isSuperseded: boolean
  readElsewhereAt: number
}

interface WaitingPiece extends StreamPiece {
  entry: Entry
  chunks: number
}

/**
 * Writes the text of all answers in this process to the database in batches, on the relaxed connection: one statement
 * for the text and, if an answer began, ended or must show that it is alive, one for the chats. The latter returns what
 * other processes have written to the same chats.
 *
 * If the reader had received the whole answer before the first write, no text is stored, only the fact that its chat id
 * was used.
 */
export class FlushQueue {
  readonly #deps: FlushQueueDeps
  readonly #entries = new Map<ResumableStream, Entry>()
  readonly #due = new Set<Entry>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(deps: FlushQueueDeps) {
    this.#deps = deps
  }

  add(stream: ResumableStream, { isShared }: { isShared: boolean }): void {
    const progress = { addedAt: this.#deps.clock.now(), isChatDue: true, savedChunks: 0, nextSeq: 0, isEndSaved: false }
    this.#entries.set(stream, { stream, ...progress, isShared, isSuperseded: false, readElsewhereAt: 0 })
    this.touchText(stream)
  }

  /** Marks the chat's row as due: the answer ended, or must show that it is alive. */
  touch(stream: ResumableStream): void {
    const entry = this.#entries.get(stream)
    if (entry !== undefined) entry.isChatDue = true
    this.touchText(stream)
  }

  /** Notes that there is more text. Called for every piece, so it must be cheap. */
  touchText(stream: ResumableStream): void {
    const entry = this.#entries.get(stream)
    if (entry === undefined) return
    this.#due.add(entry)
    this.#schedule(flushMs)
  }

  forget(stream: ResumableStream): void {
    const entry = this.#entries.get(stream)
    if (entry === undefined) return
    this.#entries.delete(stream)
    this.#due.delete(entry)
  }

  /** Whether another address or `fp` is known to have used the chat id. */
  isShared(stream: ResumableStream): boolean {
    return this.#entries.get(stream)?.isShared ?? true
  }

  /** Whether another process has a newer answer of the chat. */
  isSuperseded(stream: ResumableStream): boolean {
    return this.#entries.get(stream)?.isSuperseded ?? true
  }

  lastReadElsewhere(stream: ResumableStream): number {
    return this.#entries.get(stream)?.readElsewhereAt ?? 0
  }

  /** Resolves when everything due now has been written or rejected. Never rejects. */
  async flush(): Promise<void> {
    while (this.#writing !== null) await this.#writing
    if (this.#due.size === 0) return
    this.#writing = this.#write([...this.#due]).finally(() => (this.#writing = null))
    await this.#writing
  }

  async close(): Promise<void> {
    await this.flush()
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      void this.#writeRipe()
    }, delayMs)
  }

  async #writeRipe(): Promise<void> {
    const now = this.#deps.clock.now()
    const ripe = [...this.#due].filter(
      ({ stream, addedAt }) => !stream.isRunning || !stream.hasReader || !isRecent(addedAt, youngMs, now),
    )
    if (ripe.length < this.#due.size || this.#writing !== null) this.#schedule(flushMs)
    if (ripe.length === 0 || this.#writing !== null) return
    this.#writing = this.#write(ripe).finally(() => (this.#writing = null))
    await this.#writing
  }

  async #write(due: readonly Entry[]): Promise<void> {
    for (const entry of due) this.#due.delete(entry)
    const isWritten = (await this.#writeChats(due)) && (await this.#writePieces(due))
    if (isWritten) return
    for (const entry of due) if (this.#entries.has(entry.stream)) this.#due.add(entry)
    this.#schedule(retryMs)
  }

  /** @returns False if the database is unreachable, so that everything must be retried. */
  #writeChats(due: readonly Entry[]): Promise<boolean> {
    const rows = due.filter(({ isChatDue }) => isChatDue).map((entry) => ({ entry, chat: this.#toChat(entry) }))
    return this.#writeSlices(rows, async (slice) => {
      const states = await saveStreamChats(
        this.#deps.store.relaxed,
        slice.map(({ chat }) => chat),
      )
      const byChat = new Map(states.map((state) => [`${state.keyId}\u0000${state.chatId}`, state]))
      for (const { entry, chat } of slice) this.#learn(entry, byChat.get(`${chat.keyId}\u0000${chat.chatId}`))
    })
  }

  #writePieces(due: readonly Entry[]): Promise<boolean> {
    const pieces = due.flatMap((entry) => (this.#entries.has(entry.stream) ? nextPieces(entry) : []))
    return this.#writeSlices(pieces, async (slice) => {
      await insertStreamPieces(this.#deps.store.relaxed, slice)
      for (const { entry, chunks, isLast } of slice) {
        entry.savedChunks = chunks
        entry.nextSeq += 1
        entry.isEndSaved = isLast
      }
      await this.#deps.wakes.send(this.#listReadElsewhere(slice))
    })
  }

  /** Nearly all answers have no reader elsewhere; these cost no wake. */
  #listReadElsewhere(slice: readonly WaitingPiece[]): string[] {
    const since = this.#deps.clock.now() - readElsewhereMs
    return slice.flatMap(({ entry }) => (entry.readElsewhereAt >= since ? [entry.stream.id] : []))
  }

  /** One entry that the database rejects must not keep the others from being written. */
  async #writeSlices<Item extends { entry: Entry }>(
    items: readonly Item[],
    write: (slice: readonly Item[]) => Promise<void>,
  ): Promise<boolean> {
    for (let from = 0; from < items.length; from += rowsMax) {
      const slice = items.slice(from, from + rowsMax)
      const outcomes = await tryWrite(slice, write)
      for (const { item, error } of outcomes) {
        this.#deps.log.warn({ error }, 'stream-not-stored')
        if (error instanceof AppError && error.code === 'database_unavailable') return false
        this.#due.delete(item.entry)
        this.#entries.delete(item.entry.stream)
      }
    }
    return true
  }

  #learn(entry: Entry, state: StreamChatState | undefined): void {
    if (state === undefined) return
    const { stream } = entry
    entry.isChatDue = false
    entry.isShared = state.isShared
    entry.readElsewhereAt = Math.max(entry.readElsewhereAt, state.readAt)
    entry.isSuperseded = state.streamId !== stream.id
    if (state.stopId === stream.id) stream.stop()
    if (entry.isSuperseded) stream.giveUpUnread()
  }

  #toChat(entry: Entry): StreamChat {
    const { stream, isShared } = entry
    const { keyId, chatId, address, audience } = stream.owner
    const now = this.#deps.clock.now()
    const keptUntil = stream.isRunning ? null : isLeftOut(entry) ? now : this.#deps.keptUntil(stream)
    return { keyId, chatId, address, audience, fp: stream.fp, isShared, streamId: stream.id, aliveAt: now, keptUntil }
  }
}

function isLeftOut({ nextSeq, stream }: Entry): boolean {
  return nextSeq === 0 && stream.isDelivered
}

function nextPieces(entry: Entry): WaitingPiece[] {
  const { stream, savedChunks, nextSeq, isEndSaved } = entry
  const { chunks, isEnded } = stream.log
  if (isEndSaved || isLeftOut(entry) || (chunks.length === savedChunks && !isEnded)) return []
  const { keyId, chatId } = stream.owner
  const text = chunks.slice(savedChunks).join('')
  return [{ keyId, chatId, streamId: stream.id, seq: nextSeq, text, isLast: isEnded, entry, chunks: chunks.length }]
}

async function tryWrite<Item>(
  slice: readonly Item[],
  write: (slice: readonly Item[]) => Promise<void>,
): Promise<{ item: Item; error: unknown }[]> {
  try {
    await write(slice)
    return []
  } catch (error) {
    const [first] = slice
    if (first === undefined) return []
    if (slice.length === 1 || (error instanceof AppError && error.code === 'database_unavailable')) {
      return [{ item: first, error }]
    }
    const outcomes = []
    for (const item of slice) outcomes.push(...(await tryWrite([item], write)))
    return outcomes
  }
}

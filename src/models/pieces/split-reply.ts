import { setImmediate } from 'node:timers/promises'
import type { ChatStreamPart } from '../chat-model.ts'
import type { Piece, PieceProtocol } from './piece-protocols.ts'

/** Longer events are left to the package, so that collecting their bytes costs little. */
const eventBytesMax = 16_384

/** An event of one line of data, after the name of its type or alone. */
const eventPattern = /^(?:event:[^\r\n]*\r?\n)?data: ?([^\r\n]*)\r?\n\r?\n$/

/** An empty part of a buffer would keep the memory around it while a stream is open. */
const noBytes = Buffer.alloc(0)

/** Around the number of a piece. Not a character, so no text has it. */
const markSign = '\uFDD0'

/** The mark sign, and the replacement character for bytes that are not UTF-8. */
const oddCharacters = /[\uFDD0\uFFFD]/

const lineFeed = 10
const carriageReturn = 13

/**
 * A provider's event stream, divided between its package and a shorter way for pieces of text.
 *
 * The package gets all events at first. A piece among them gets a mark before its text. When the mark comes out, and
 * nothing was sent after that piece, the package has nothing left to say: further pieces of the same block become parts
 * without it, until another event comes.
 */
export class SplitReply {
  /** What the package reads in place of the reply. */
  readonly body: ReadableStream<Uint8Array>
  readonly #protocol: PieceProtocol
  readonly #source: ReadableStreamDefaultReader<Uint8Array>
  #toPackage: ReadableStreamDefaultController<Uint8Array> | null = null
  /** Events to be taken, and the beginning of one. */
  #bytes: Buffer = noBytes
  /** Text to be passed on, of one block. */
  #direct: PiecePart | null = null
  /** The part that pieces continue while the package waits; null while it gets every event. */
  #continued: PiecePart | null = null
  /** The last event that was sent to the package, if it was a piece. */
  #last: Piece | null = null
  #lastMark = 0
  /** What the package would know besides the text of pieces that it did not get. */
  #rest: string | null = null
  #isPassedOn = false
  #sent = 0
  #reading: Promise<void> | null = null
  #wake: (() => void) | null = null

  constructor(source: ReadableStream<Uint8Array>, protocol: PieceProtocol) {
    this.#protocol = protocol
    this.#source = source.getReader()
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#toPackage = controller
        },
        pull: () => this.#feed(),
        cancel: (reason) => this.#source.cancel(reason),
      },
      { highWaterMark: 0 },
    )
  }

  /** @param parts Of the package. */
  join(parts: ReadableStream<ChatStreamPart>): ReadableStream<ChatStreamPart> {
    const reader = parts.getReader()
    return new ReadableStream<ChatStreamPart>(
      {
        pull: async (controller) => {
          while (this.#continued !== null && this.#direct === null) await this.#read()
          if (this.#direct !== null) {
            controller.enqueue(this.#direct)
            this.#direct = null
            return
          }
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(this.#unmark(value))
        },
        cancel: async (reason) => {
          // Without the package, which may wait for the next event first.
          const closed = this.#source.cancel(reason)
          this.#returnToPackage()
          await Promise.all([closed, reader.cancel(reason)])
        },
      },
      { highWaterMark: 0 },
    )
  }

  /** Runs until the package has received something, or everything. */
  async #feed(): Promise<void> {
    const before = this.#sent
    // Lets a consumer that awaits the parts read the mark first.
    if (this.#last !== null) await setImmediate()
    while (this.#sent === before) {
      if (this.#continued === null) await this.#read()
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  /** One read at a time, whichever consumer asked for it. */
  #read(): Promise<void> {
    this.#reading ??= this.#readOnce().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #readOnce(): Promise<void> {
    if (this.#takeEvents()) return
    try {
      const { done, value } = await this.#source.read()
      if (!done) return this.#receive(value)
      this.#returnToPackage()
      if (this.#bytes.length > 0) this.#send(this.#bytes)
      this.#toPackage?.close()
    } catch (error) {
      this.#returnToPackage()
      this.#toPackage?.error(error)
    }
    this.#sent++
  }

  #receive(chunk: Uint8Array): void {
    const arrived = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (this.#isPassedOn) return this.#send(arrived)
    this.#bytes = this.#bytes.length === 0 ? arrived : Buffer.concat([this.#bytes, arrived])
    if (!this.#takeEvents() && this.#bytes.length > eventBytesMax) this.#passOn()
  }

  /** Up to a piece that the package gets. @returns Whether there was an event. */
  #takeEvents(): boolean {
    let start = 0
    let isMarked = false
    for (let end = findEventEnd(this.#bytes, 0); end !== -1 && !isMarked; end = findEventEnd(this.#bytes, start)) {
      this.#takeEvent(this.#bytes.subarray(start, end))
      isMarked = this.#continued === null && this.#last !== null
      start = end
    }
    this.#bytes = start === this.#bytes.length ? noBytes : this.#bytes.subarray(start)
    return start > 0
  }

  /** From here on, the package gets everything. */
  #passOn(): void {
    this.#isPassedOn = true
    this.#returnToPackage()
    this.#send(this.#bytes)
    this.#last = null
    this.#bytes = noBytes
  }

  #takeEvent(bytes: Buffer): void {
    const text = bytes.length > eventBytesMax ? '' : bytes.toString('utf8')
    const data = eventPattern.exec(text)?.[1] ?? null
    const piece = data === null || oddCharacters.test(data) ? null : this.#protocol.read(data)
    const continued = this.#continued
    if (
      continued !== null &&
      piece?.type === this.#last?.type &&
      piece?.block === this.#last?.block &&
      piece !== null
    ) {
      // What arrives together costs no more than one piece from here on.
      this.#direct = { ...continued, delta: (this.#direct?.delta ?? '') + piece.delta }
      this.#rest = piece.rest ?? this.#rest
      return
    }
    this.#returnToPackage()
    this.#last = piece
    if (piece === null || data === null) return this.#send(bytes)
    const marked = this.#protocol.write(data, `${markSign}${++this.#lastMark}${markSign}${piece.delta}`)
    this.#send(Buffer.from(`${text.slice(0, text.lastIndexOf(data))}${marked}\n\n`))
  }

  #returnToPackage(): void {
    if (this.#continued === null) return
    this.#continued = null
    this.#last = null
    if (this.#rest !== null) this.#send(Buffer.from(`data: ${this.#rest}\n\n`))
    this.#rest = null
    this.#wake?.()
    this.#wake = null
  }

  #send(bytes: Uint8Array): void {
    this.#sent++
    this.#toPackage?.enqueue(bytes)
  }

  #unmark(part: ChatStreamPart): ChatStreamPart {
    if ((part.type !== 'text-delta' && part.type !== 'reasoning-delta') || !part.delta.startsWith(markSign)) return part
    const end = part.delta.indexOf(markSign, 1)
    const unmarked = { ...part, delta: part.delta.slice(end + 1) }
    const isLast = Number(part.delta.slice(1, end)) === this.#lastMark && this.#last?.type === part.type
    if (isLast && !this.#isPassedOn) this.#continued = unmarked
    return unmarked
  }
}

type PiecePart = Extract<ChatStreamPart, { type: 'text-delta' | 'reasoning-delta' }>

/** @returns The offset after the first empty line, or -1. */
function findEventEnd(bytes: Buffer, from: number): number {
  for (let feed = bytes.indexOf(lineFeed, from); feed !== -1; feed = bytes.indexOf(lineFeed, feed + 1)) {
    if (bytes[feed + 1] === lineFeed) return feed + 2
    if (bytes[feed + 1] === carriageReturn && bytes[feed + 2] === lineFeed) return feed + 3
  }
  return -1
}

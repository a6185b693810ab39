import { EventRepairer } from './repair-events.ts'
import { FrameRepairer } from './repair-frames.ts'
import type { ReadingPace } from './reading-pace.ts'

/** Most bytes accepted from a provider, checked before parsing. */
export const replyBounds = {
  /** One event of a stream, up to the next empty line. */
  eventBytes: 1_048_576,
  /** A whole reply: an answer of 30,000 tokens, one event each, takes a third of this. */
  replyBytes: 33_554_432,
  /** Bytes read of an error reply; the rest is discarded. */
  errorBytes: 65_536,
} as const

/** A provider's reply exceeded its bound. */
class ReplyTooLongError extends Error {
  override readonly name = 'ReplyTooLongError'
}

/**
 * Bounds a reply: its body fails and closes the connection when it exceeds `replyBounds`. The body of an error reply is
 * truncated instead, so that its status still shows what went wrong.
 *
 * @param pace Of event streams. Without it, everything is read at once.
 */
export function boundReply(response: Response, pace?: Pick<ReadingPace, 'startStream'>): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const type = headers.get('content-type') ?? ''
  const bounded = response.ok ? boundBody(body, type, pace) : body.pipeThrough(new CutBody())
  return new Response(bounded, { status, statusText, headers })
}

/** Not a `TransformStream`, whose pipe takes several times as long for each piece of an answer. */
function boundBody(
  body: ReadableStream<Uint8Array>,
  type: string,
  pace: Pick<ReadingPace, 'startStream'> | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const isStream = /^text\/event-stream\b/i.test(type)
  const pause = isStream ? pace?.startStream(reader.closed) : undefined
  const events = new EventSizes()
  const repairer = isStream ? new EventRepairer() : isFrames(type) ? new FrameRepairer(replyBounds.eventBytes) : null
  let bytes = 0
  const findExcess = (chunk: Uint8Array): ReplyTooLongError | null => {
    bytes += chunk.length
    if (bytes > replyBounds.replyBytes) return tooLong('a reply', replyBounds.replyBytes)
    if (isStream && events.add(chunk) > replyBounds.eventBytes) return tooLong('an event', replyBounds.eventBytes)
    return null
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const paused = pause?.()
        if (paused !== undefined) await paused
        const { done, value } = await reader.read()
        if (done) {
          const rest = repairer?.finish()
          if (rest !== undefined && rest.length > 0) controller.enqueue(rest)
          return controller.close()
        }
        const excess = findExcess(value)
        if (excess === null) return controller.enqueue(repairer?.repair(value) ?? value)
        controller.error(excess)
        await reader.cancel(excess)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

const isFrames = (type: string) => /^application\/vnd\.amazon\.eventstream\b/i.test(type)

class CutBody extends TransformStream<Uint8Array, Uint8Array> {
  constructor() {
    let bytesLeft: number = replyBounds.errorBytes
    super({
      transform(chunk, controller) {
        controller.enqueue(chunk.subarray(0, bytesLeft))
        bytesLeft -= chunk.length
        if (bytesLeft <= 0) controller.terminate()
      },
    })
  }
}

function tooLong(what: string, bytesMax: number): ReplyTooLongError {
  return new ReplyTooLongError(`The provider sent ${what} of more than ${bytesMax} bytes.`)
}

const lineFeed = 10
const carriageReturn = 13

/** Measures the events of a stream as they arrive. An event ends with an empty line. */
class EventSizes {
  #eventBytes = 0
  #lineBytes = 0
  #lastByte = 0

  /** @returns Bytes so far of the longest event in the chunk. */
  add(chunk: Uint8Array): number {
    let longest = 0
    let from = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      this.#take(chunk.subarray(from, end))
      longest = Math.max(longest, this.#eventBytes)
      const isEmpty = this.#lineBytes === 0 || (this.#lineBytes === 1 && this.#lastByte === carriageReturn)
      this.#eventBytes = isEmpty ? 0 : this.#eventBytes + 1
      this.#lineBytes = 0
      from = end + 1
    }
    this.#take(chunk.subarray(from))
    return Math.max(longest, this.#eventBytes)
  }

  #take(piece: Uint8Array): void {
    this.#eventBytes += piece.length
    this.#lineBytes += piece.length
    this.#lastByte = piece.at(-1) ?? this.#lastByte
  }
}

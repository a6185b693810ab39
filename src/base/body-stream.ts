import { finished, type Readable } from 'node:stream'

/** Beyond this, reading pauses until more is requested. */
const arrivedBytesMax = 65_536

/**
 * A body as the stream of a `Response`. Reads on while nobody asks, and then gives all that has arrived at once: a chunk
 * that waits costs next to nothing, and a connection that breaks takes none away. Fails with the signal's reason when
 * that aborts, else as `fetch` does.
 */
export function streamBody(body: Readable, signal: AbortSignal): ReadableStream<Uint8Array> {
  let arrived: Buffer[] = []
  let bytes = 0
  let failure: unknown
  let isOver = false
  let isCancelled = false
  let wake: (() => void) | null = null
  const take = () => {
    const [first, ...others] = arrived
    arrived = []
    bytes = 0
    if (body.isPaused()) body.resume()
    return first === undefined || others.length === 0 ? first : Buffer.concat([first, ...others])
  }
  // At once, so that readers know the end without another read.
  const giveRest = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    if (isCancelled || failure !== undefined) return
    const rest = take()
    if (rest !== undefined) controller.enqueue(rest)
    controller.close()
  }
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        finished(body, (error) => {
          isOver = true
          // A whole reply that is dropped unread ends without an error.
          if (signal.aborted) failure = signal.reason
          else if (error) failure = new TypeError('terminated', { cause: error })
          // A failure is delivered after the data that arrived before it.
          if (wake === null) giveRest(controller)
          else wake()
        })
        body.on('data', (chunk: Buffer) => {
          arrived.push(chunk)
          bytes += chunk.length
          if (bytes >= arrivedBytesMax) body.pause()
          wake?.()
        })
      },
      async pull(controller) {
        if (arrived.length === 0 && !isOver) await new Promise<void>((resolve) => (wake = resolve))
        wake = null
        if (isOver && failure === undefined) return giveRest(controller)
        const chunk = take()
        if (chunk === undefined) controller.error(failure)
        else controller.enqueue(chunk)
      },
      cancel() {
        isCancelled = true
        body.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

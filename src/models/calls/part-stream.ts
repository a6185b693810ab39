import type { ChatStreamPart } from '../chat-model.ts'

/** Gives the parts of a stream one by one. Both may be called after the end. */
export type PartReader = Pick<ReadableStreamDefaultReader<ChatStreamPart>, 'read' | 'cancel'>

const sources = new WeakMap<ReadableStream<ChatStreamPart>, PartReader>()

/** A stream of what a reader gives, read only on demand. */
export function createPartStream(source: PartReader): ReadableStream<ChatStreamPart> {
  const stream = new ReadableStream<ChatStreamPart>(
    {
      async pull(controller) {
        const { done, value } = await source.read()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  )
  sources.set(stream, source)
  return stream
}

/**
 * Locks a stream and reads it. One that `createPartStream` made is read at its source: handing each piece of an answer
 * from stream to stream takes longer than all that happens to it between them.
 */
export function readParts(stream: ReadableStream<ChatStreamPart>): PartReader {
  const reader = stream.getReader()
  return sources.get(stream) ?? reader
}

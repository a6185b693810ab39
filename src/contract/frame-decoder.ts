/** An answer stream that breaks its grammar or ends early. The message is a sentence for people. */
export class StreamFormatError extends Error {
  override readonly name = 'StreamFormatError'
}

/** Turns the text of a stream into frames as it arrives; text may be split anywhere. One decoder reads one stream. */
export interface FrameDecoder<Frame> {
  /** @throws {StreamFormatError} */
  push(text: string): Frame[]
  /** To be called when the stream has ended. @throws {StreamFormatError} when it ended before the answer did. */
  end(): void
}

/** @throws {StreamFormatError} when the stream breaks its grammar or ends before the answer does. */
export async function* decodeFrames<Frame>(
  decoder: FrameDecoder<Frame>,
  chunks: AsyncIterable<string>,
): AsyncGenerator<Frame, void, undefined> {
  for await (const chunk of chunks) yield* decoder.push(chunk)
  decoder.end()
}

/**
 * Cuts text into lines at LF, CR LF and CR, wherever the text itself was cut. Frames hold none of the three outside
 * their ends, so the same rule serves both formats.
 */
export function createLineSplitter(): (text: string) => string[] {
  let open = ''
  let endedInCarriageReturn = false
  return (text) => {
    if (text === '') return []
    const isSecondHalf = endedInCarriageReturn && text.startsWith('\n')
    endedInCarriageReturn = text.endsWith('\r')
    const lines = (open + (isSecondHalf ? text.slice(1) : text)).split(/\r\n|\n|\r/)
    open = lines.pop() ?? ''
    return lines
  }
}

/** Deeper than anything that an answer holds, and far from what ends the stack of who walks through it. */
const frameDepthMax = 100

/** @throws {StreamFormatError} also for JSON that is nested deeper than 100 levels. */
export function parseFrameJson(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    if (depthOf(value) > frameDepthMax) throw new RangeError('The frame is nested too deep.')
    return value
  } catch (cause) {
    throw new StreamFormatError(
      'The answer holds a frame that is not JSON, or nested too deep. Check what stands between you and the service.',
      {
        cause,
      },
    )
  }
}

export const cutAnswerMessage = 'The answer broke off before its end. Ask again.'

/** Level by level, because a function that calls itself would need the stack which is to be saved. */
function depthOf(value: unknown): number {
  let depth = 0
  let level: unknown[] = [value]
  while (level.length > 0 && depth <= frameDepthMax + 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    depth++
  }
  return depth - 1
}

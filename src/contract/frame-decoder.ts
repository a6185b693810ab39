/** An answer stream violated its grammar or ended early. The message is shown to people. */
export class StreamFormatError extends Error {
  override readonly name = 'StreamFormatError'
}

/** Decodes the text of a stream into frames as it arrives, split anywhere. Use one decoder per stream. */
export interface FrameDecoder<Frame> {
  /** @throws {StreamFormatError} */
  push(text: string): Frame[]
  /** Call this when the stream ends. @throws {StreamFormatError} if it ended before the answer did. */
  end(): void
}

/** @throws {StreamFormatError} if the stream violates its grammar or ends before the answer does. */
export async function* decodeFrames<Frame>(
  decoder: FrameDecoder<Frame>,
  chunks: AsyncIterable<string>,
): AsyncGenerator<Frame, void, undefined> {
  for await (const chunk of chunks) yield* decoder.push(chunk)
  decoder.end()
}

/**
 * Splits text into lines at LF, CR LF and CR, however the text arrives in pieces. Both formats contain none of the
 * three within a frame, so one rule serves both.
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

/** Far deeper than any answer, and far from overflowing the stack of recursive readers. */
const frameDepthMax = 100

/** @throws {StreamFormatError} also for JSON nested deeper than 100 levels. */
export function parseFrameJson(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json)
    if (depthOf(value) > frameDepthMax) throw new RangeError('The frame is nested too deep.')
    return value
  } catch (cause) {
    throw new StreamFormatError(
      'The answer contains a frame that is not JSON, or nested too deep. Check the proxies between you and the service.',
      {
        cause,
      },
    )
  }
}

export const cutAnswerMessage = 'The answer broke off before its end. Ask again.'

/** Iterative, because recursion could overflow the very stack it is meant to protect. */
function depthOf(value: unknown): number {
  let depth = 0
  let level: unknown[] = [value]
  while (level.length > 0 && depth <= frameDepthMax + 1) {
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
    depth++
  }
  return depth - 1
}

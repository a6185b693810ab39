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

/** @throws {StreamFormatError} */
export function parseFrameJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (cause) {
    throw new StreamFormatError(
      'The answer holds a frame that is not JSON. Check what stands between you and the service.',
      {
        cause,
      },
    )
  }
}

export const cutAnswerMessage = 'The answer broke off before its end. Ask again.'

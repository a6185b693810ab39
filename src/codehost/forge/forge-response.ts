const bytesMax = 32 * 1024 * 1024

/** Statuses whose answers have no body, which the constructor insists on. */
const withoutBody = new Set([204, 205, 304])

/**
 * Reads an answer to its end, so that a connection that breaks in the middle counts as a failed try.
 *
 * @returns An answer of the same status and headers whose body lies in memory. Its length header may be that of the
 *   compressed body.
 * @throws {Error} For more than 32 MiB, and what reading throws.
 */
export async function readBoundedResponse(response: Response): Promise<Response> {
  const { status, headers } = response
  const body = response.body === null ? null : await readAll(response.body)
  return new Response(withoutBody.has(status) ? null : body, { status, headers })
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > bytesMax) throw new Error(`The answer has more than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @returns Null for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

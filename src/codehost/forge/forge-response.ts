const bytesMax = 32 * 1024 * 1024

/** Statuses without a body, which the `Response` constructor rejects if given one. */
const withoutBody = new Set([204, 205, 304])

/**
 * Buffers a response, so that a connection lost midway counts as a failed attempt.
 *
 * @returns A response with the same status and headers and an in-memory body. Its length header may be that of the
 *   compressed body.
 * @throws {Error} above 32 MiB, and any read error.
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
    if (size > bytesMax) throw new Error(`The response is larger than ${bytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

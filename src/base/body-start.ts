/** The beginning of a body. */
export interface BodyStart {
  /** At most the limit. */
  bytes: Buffer
  /** Whether the body ended within the limit. */
  isWhole: boolean
}

/** Reads a body up to a limit. The rest is cancelled: it may never end. */
export async function readBodyStart(body: AsyncIterable<Uint8Array> | null, bytesMax: number): Promise<BodyStart> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > bytesMax) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), isWhole: size <= bytesMax }
}

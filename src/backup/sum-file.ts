import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { EntrySum } from './backup-manifest.ts'

/** Size and checksum of a file. */
export function sumFile(file: string): Promise<EntrySum> {
  // A stream without an encoding yields buffers.
  return sumChunks(createReadStream(file) as AsyncIterable<Buffer>)
}

/** Size and checksum of all chunks together. */
export async function sumChunks(chunks: AsyncIterable<Uint8Array>): Promise<EntrySum> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

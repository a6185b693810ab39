import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { EntrySum } from './backup-manifest.ts'

/** Size and checksum of a file. */
export async function sumFile(file: string): Promise<EntrySum> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file)) {
    const data = chunk as Buffer // A stream without an encoding yields buffers.
    hash.update(data)
    bytes += data.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

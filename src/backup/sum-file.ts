import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { EntrySum } from './backup-manifest.ts'

/** What a file comes to. */
export async function sumFile(file: string): Promise<EntrySum> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(file)) {
    const data = chunk as Buffer // A stream of a file without an encoding.
    hash.update(data)
    bytes += data.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

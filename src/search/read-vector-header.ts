import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  layOutVectors,
  nameVectorFile,
  readHeaderLength,
  type VectorHeader,
  vectorHeaderSchema,
  vectorHeaderStart,
} from './vector-file-format.ts'

interface PlacedHeader extends VectorHeader {
  /** Where the rows begin, in bytes. */
  rowsStart: number
}

/** What the vectors beside an index file say of themselves; null when there are none that can be read. */
export async function readVectorHeader(indexFile: string): Promise<PlacedHeader | null> {
  const file = await open(nameVectorFile(indexFile), 'r').catch(() => null)
  if (file === null) return null
  try {
    const start = Buffer.alloc(vectorHeaderStart)
    await file.read(start, 0, start.length, 0)
    const length = readHeaderLength(start)
    if (length === null) return null
    const json = Buffer.alloc(length)
    await file.read(json, 0, length, vectorHeaderStart)
    const header = vectorHeaderSchema.parse(JSON.parse(json.toString('utf8')))
    return { ...header, rowsStart: layOutVectors(length, header).rows }
  } catch {
    return null
  } finally {
    await file.close()
  }
}

/** Whether the rows, which stay on the disk while the file is open, are as they were written. Reads all of them. */
export async function isVectorFileWhole(indexFile: string): Promise<boolean> {
  const header = await readVectorHeader(indexFile)
  if (header === null) return false
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(nameVectorFile(indexFile), { start: header.rowsStart }), hash)
  } catch {
    return false
  }
  return hash.digest('hex') === header.rowsDigest
}

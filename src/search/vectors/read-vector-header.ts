import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import {
  beginFileDigest,
  computeVectorLayout,
  nameVectorFile,
  readHeaderLength,
  type VectorHeader,
  vectorHeaderSchema,
  vectorHeaderStart,
} from './vector-file-format.ts'

/** Header of the vector file beside an index file; null if there is no readable one. */
export async function readVectorHeader(indexFile: string): Promise<VectorHeader | null> {
  return (await readPlaced(indexFile))?.header ?? null
}

/** Whether a vector file is intact. Reads the whole file. */
export async function isVectorFileWhole(indexFile: string): Promise<boolean> {
  const placed = await readPlaced(indexFile)
  if (placed === null) return false
  const digest = beginFileDigest(placed.header)
  try {
    await pipeline(createReadStream(nameVectorFile(indexFile), { start: placed.contentsStart }), digest)
  } catch {
    return false
  }
  return digest.digest('hex') === placed.header.fileDigest
}

async function readPlaced(indexFile: string): Promise<{ header: VectorHeader; contentsStart: number } | null> {
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
    return { header, contentsStart: computeVectorLayout(length, header).mean }
  } catch {
    return null
  } finally {
    await file.close()
  }
}

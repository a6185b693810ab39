import { open } from 'node:fs/promises'
import { nameVectorFile, readHeaderLength, vectorHeaderSchema, vectorHeaderStart } from './vector-file-format.ts'

/** The model of the vectors beside an index file; null when there are none that can be read. Reads the header alone. */
export async function readVectorModel(indexFile: string): Promise<string | null> {
  const file = await open(nameVectorFile(indexFile), 'r').catch(() => null)
  if (file === null) return null
  try {
    const start = Buffer.alloc(vectorHeaderStart)
    await file.read(start, 0, start.length, 0)
    const length = readHeaderLength(start)
    if (length === null) return null
    const json = Buffer.alloc(length)
    await file.read(json, 0, length, vectorHeaderStart)
    return vectorHeaderSchema.parse(JSON.parse(json.toString('utf8'))).model
  } catch {
    return null
  } finally {
    await file.close()
  }
}

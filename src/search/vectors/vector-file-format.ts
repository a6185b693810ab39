import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'
import type { IndexFile } from '../index-file/index-file.ts'
import { fusionSchema } from './choose-fusion.ts'
import { countWords } from './sign-bits.ts'

/**
 * The vectors of an index file are in a separate file, because they arrive later and from outside: the index answers by
 * words as soon as it is published, and neither file is ever changed.
 *
 * After the magic number and the header come the mean of the vectors (32-bit floats), a scale per chunk (32-bit floats;
 * 0 for a chunk without a vector), the sign bits of each chunk (32-bit words) and the bytes of each chunk. All but the
 * last part, the largest, are held in memory while the file is open.
 */
const vectorFileMagic = 'dcntvec3'
/** Magic number, then the length of the header as 32 bits. */
export const vectorHeaderStart = 12
const alignment = 64
const headerBytesMax = 65_536

export const vectorHeaderSchema = z.strictObject({
  /** `provider/model`: only question vectors of the same model are comparable. */
  model: z.string(),
  dimensions: z.int().min(1).max(65_536),
  chunkCount: z.int().min(0),
  /** See `digestIndex`. */
  index: z.string(),
  /** Typical cosine of unrelated passages, and of neighbours on one page. */
  unrelated: z.number(),
  related: z.number(),
  fusion: fusionSchema,
  /** SHA-256 of the part held in memory. */
  digest: z.string(),
  /** SHA-256 of the whole file: see `beginFileDigest`. */
  fileDigest: z.string(),
})

export type VectorHeader = z.output<typeof vectorHeaderSchema>

/** Begins the digest of a file with its header's content; the rest of the file follows. */
export function beginFileDigest(header: Omit<VectorHeader, 'fileDigest'>): Hash {
  return createHash('sha256').update(JSON.stringify(vectorHeaderSchema.parse({ ...header, fileDigest: '' })))
}

/** The path of an index file's vector file. */
export const nameVectorFile = (indexFile: string): string => `${indexFile}.vectors`

export interface VectorLayout {
  /** Byte offsets of mean, scales, bits and rows, and the file's end. */
  mean: number
  scales: number
  bits: number
  rows: number
  end: number
}

export function computeVectorLayout(
  headerBytes: number,
  { dimensions, chunkCount }: Pick<VectorHeader, 'dimensions' | 'chunkCount'>,
): VectorLayout {
  const mean = Math.ceil((vectorHeaderStart + headerBytes) / alignment) * alignment
  const scales = mean + dimensions * 4
  const bits = scales + chunkCount * 4
  const rows = bits + chunkCount * countWords(dimensions) * 4
  return { mean, scales, bits, rows, end: rows + chunkCount * dimensions }
}

export function encodeVectorHeader(header: VectorHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  if (json.length > headerBytesMax) throw new RangeError('The name of the embedding model is too long.')
  const bytes = Buffer.alloc(computeVectorLayout(json.length, header).mean)
  bytes.write(vectorFileMagic, 'latin1')
  bytes.writeUInt32LE(json.length, vectorFileMagic.length)
  json.copy(bytes, vectorHeaderStart)
  return bytes
}

/** @returns Null if the bytes are not the beginning of a vector file. */
export function readHeaderLength(start: Buffer): number | null {
  if (start.length < vectorHeaderStart || start.toString('latin1', 0, vectorFileMagic.length) !== vectorFileMagic) {
    return null
  }
  const length = start.readUInt32LE(vectorFileMagic.length)
  return length <= headerBytesMax ? length : null
}

/** Identifies the content of an index file, so that its vectors are never used with another index. */
export function digestIndex(index: IndexFile): string {
  const hash = createHash('sha256').update(String(index.chunkPages.length))
  for (const contentHash of index.listContentHashes()) hash.update(contentHash)
  return hash.digest('hex')
}

import { ByteWriter } from './byte-writer.ts'
import type { ChunkSet } from './chunk-set.ts'

/**
 * Where a term occurs: chunk by chunk, with the count in each field.
 *
 * Each entry is a varint of (distance to the previous chunk × 16 + bit mask of the fields), followed by one varint with
 * the count per field in the mask. Chunks ascend. About three bytes per entry, decoded at some hundred million entries
 * a minute, which makes it feasible to score every chunk instead of a sample.
 *
 * Entries are grouped in blocks of `blockEntries`. A list of more than one block begins with a table: its length in
 * bytes, then per block the distance to its last chunk and its length in bytes, so that a search in a part of a site
 * skips the blocks of other parts.
 */

/** In the order of their bits and of the length arrays. */
const indexedFields = ['title', 'headings', 'body', 'path'] as const
export const fieldCount = indexedFields.length
const fieldBits = 4
export const blockEntries = 64

/** The occurrences of one term, as stored. */
export interface Postings {
  chunkCount: number
  bytes: Uint8Array
}

/** Collects the postings of one term. Chunks must come in ascending order. */
export class PostingsWriter {
  chunkCount = 0
  private readonly entries = new ByteWriter()
  /** Two numbers per block: its last chunk, and its end in `entries`. */
  private readonly blocks: number[] = []
  private previousChunk = 0

  /** @param counts Of `packCounts`. */
  add(chunk: number, counts: number): void {
    if (this.chunkCount > 0 && this.chunkCount % blockEntries === 0) this.endBlock()
    let mask = 0
    for (let field = 0; field < fieldCount; field++) if (countIn(counts, field) > 0) mask |= 1 << field
    this.entries.writeVarint(((chunk - this.previousChunk) << fieldBits) | mask)
    for (let field = 0; field < fieldCount; field++) {
      const count = countIn(counts, field)
      if (count > 0) this.entries.writeVarint(count)
    }
    this.previousChunk = chunk
    this.chunkCount++
  }

  /** Keeps the memory for the next term. */
  clear(): void {
    this.chunkCount = 0
    this.previousChunk = 0
    this.blocks.length = 0
    this.entries.clear()
  }

  /** The bytes may be a view: copy them before `clear`. */
  finish(): Postings {
    if (this.blocks.length === 0) return { chunkCount: this.chunkCount, bytes: this.entries.finish() }
    this.endBlock()
    const table = new ByteWriter()
    for (let place = 0; place < this.blocks.length; place += 2) {
      table.writeVarint((this.blocks[place] as number) - (this.blocks[place - 2] ?? 0))
      table.writeVarint((this.blocks[place + 1] as number) - (this.blocks[place - 1] ?? 0))
    }
    const whole = new ByteWriter()
    whole.writeVarint(table.length)
    whole.writeBytes(table.finish())
    whole.writeBytes(this.entries.finish())
    return { chunkCount: this.chunkCount, bytes: whole.finish() }
  }

  private endBlock(): void {
    this.blocks.push(this.previousChunk, this.entries.length)
  }
}

/** Decoded postings. The arrays are reused between calls, so read them before the next one. */
export interface DecodedPostings {
  /** Number of filled entries. */
  length: number
  chunks: Int32Array
  /** Per entry, of `packCounts`. */
  counts: Uint32Array
}

export const countBits = 8
/** Highest count that fits. */
export const countMax = 255

/** The counts of all fields in one number. @param offset Of the first one in `counts`. */
export function packCounts(counts: ArrayLike<number>, offset = 0): number {
  let packed = 0
  for (let field = 0; field < fieldCount; field++)
    packed |= Math.min(counts[offset + field] as number, countMax) << (field * countBits)
  return packed
}

export const countIn = (packed: number, field: number) => (packed >>> (field * countBits)) & countMax

/** @param chunkCount Most entries that a term can have. */
export function createPostingsBuffer(chunkCount: number): DecodedPostings {
  return { length: 0, chunks: new Int32Array(chunkCount), counts: new Uint32Array(chunkCount) }
}

/** Skips chunks outside the set, so that what a reader may not see is not even counted. */
export function decodePostings({ bytes, chunkCount }: Postings, set: ChunkSet, into: DecodedPostings): void {
  into.length = 0
  if (chunkCount <= blockEntries) {
    decodeBlock(bytes, { start: 0, end: bytes.length, chunk: 0 }, set.mask, into)
    return
  }
  const table = { bytes, position: 0 }
  const tableBytes = readVarint(table)
  let start = table.position + tableBytes
  let chunk = 0
  for (let left = chunkCount; left > 0; left -= blockEntries) {
    const last = chunk + readVarint(table)
    const end = start + readVarint(table)
    // The first entry of a block comes after the last one of the previous block; only the very first may be chunk 0.
    const isAsked = (set.before[last + 1] as number) > (set.before[chunk] as number)
    if (isAsked) decodeBlock(bytes, { start, end, chunk }, set.mask, into)
    chunk = last
    start = end
  }
}

function readVarint(source: { bytes: Uint8Array; position: number }): number {
  let byte = source.bytes[source.position++] as number
  let value = byte & 0x7f
  for (let shift = 7; byte >= 0x80; shift += 7) {
    byte = source.bytes[source.position++] as number
    value |= (byte & 0x7f) << shift
  }
  return value
}

/** The innermost loop of a search: numbers only. Appends to `into`. */
function decodeBlock(
  bytes: Uint8Array,
  block: { start: number; end: number; chunk: number },
  mask: Uint8Array,
  into: DecodedPostings,
): void {
  const { chunks, counts } = into
  const { end } = block
  let { start: position, chunk } = block
  let length = into.length
  while (position < end) {
    let byte = bytes[position++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[position++] as number
      value |= (byte & 0x7f) << shift
    }
    chunk += value >>> fieldBits
    let packed = 0
    for (let field = 0; field < fieldCount; field++) {
      if ((value & (1 << field)) === 0) continue
      byte = bytes[position++] as number
      let count = byte & 0x7f
      if (byte >= 0x80) count |= ((bytes[position++] as number) & 0x7f) << 7
      packed |= count << (field * countBits)
    }
    if (mask[chunk] === 0) continue
    counts[length] = packed
    chunks[length++] = chunk
  }
  into.length = length
}

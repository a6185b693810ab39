/**
 * Where a term occurs: chunk by chunk, how often in each field.
 *
 * Each entry is a varint of (distance to the previous chunk × 16 + bit mask of the fields), followed by one varint per
 * field in the mask with the count there. Chunks ascend. About three bytes an entry, decoded at some hundred million
 * entries a minute, which is what lets every chunk be scored instead of a sample.
 */

/** In the order of their bits and of the length arrays. */
export const indexedFields = ['title', 'headings', 'body', 'path'] as const
export const fieldCount = indexedFields.length
const fieldBits = 4
const countMax = 255

/** Grows by doubling; holds varints. */
export class ByteWriter {
  private bytes = new Uint8Array(16)
  private length = 0

  writeVarint(value: number): void {
    if (this.length + 5 > this.bytes.length) this.grow()
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.bytes[this.length++] = rest
  }

  /** A view, not a copy: take it when nothing more is written. */
  finish(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }

  private grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2)
    larger.set(this.bytes)
    this.bytes = larger
  }
}

/** Collects the postings of one term. Chunks must come in ascending order. */
export class PostingsWriter {
  chunkCount = 0
  private readonly writer = new ByteWriter()
  private previousChunk = 0

  add(chunk: number, counts: ArrayLike<number>): void {
    let mask = 0
    for (let field = 0; field < fieldCount; field++) if ((counts[field] ?? 0) > 0) mask |= 1 << field
    this.writer.writeVarint(((chunk - this.previousChunk) << fieldBits) | mask)
    for (let field = 0; field < fieldCount; field++) {
      const count = counts[field] ?? 0
      if (count > 0) this.writer.writeVarint(Math.min(count, countMax))
    }
    this.previousChunk = chunk
    this.chunkCount++
  }

  finish(): Uint8Array {
    return this.writer.finish()
  }
}

/** Decoded postings; the arrays are reused from call to call, so read them before the next one. */
export interface DecodedPostings {
  /** How many entries are filled. */
  length: number
  chunks: Int32Array
  /** `fieldCount` counts per entry. */
  counts: Uint8Array
}

/** @param chunkCount The most entries that a term can have. */
export function createPostingsBuffer(chunkCount: number): DecodedPostings {
  return { length: 0, chunks: new Int32Array(chunkCount), counts: new Uint8Array(chunkCount * fieldCount) }
}

/** Entries of chunks whose `mask` is 0 are skipped, so that what a reader may not see is not even counted. */
export function decodePostings(bytes: Uint8Array, mask: Uint8Array, into: DecodedPostings): void {
  const { chunks, counts } = into
  let position = 0
  let length = 0
  let chunk = 0
  while (position < bytes.length) {
    let byte = bytes[position++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = bytes[position++] as number
      value |= (byte & 0x7f) << shift
    }
    chunk += value >>> fieldBits
    const base = length * fieldCount
    for (let field = 0; field < fieldCount; field++) {
      let count = 0
      if ((value & (1 << field)) !== 0) {
        byte = bytes[position++] as number
        count = byte & 0x7f
        if (byte >= 0x80) count |= ((bytes[position++] as number) & 0x7f) << 7
      }
      counts[base + field] = count
    }
    if (mask[chunk] === 0) continue
    chunks[length++] = chunk
  }
  into.length = length
}

/** The body of a chunk as a row of term ids with their positions: a varint of (id × 2 + whether the position moves on). */
export function encodeTokenRow(tokens: readonly { termId: number; position: number }[]): Uint8Array {
  const writer = new ByteWriter()
  let position = 0
  for (const token of tokens) {
    const moves = token.position !== position
    writer.writeVarint((token.termId << 1) | (moves ? 1 : 0))
    position = token.position
  }
  return writer.finish()
}

/**
 * Calls back for every token whose term has a slot, in order of position.
 *
 * @param slots By term id: the slot from 1, or 0 for terms that nobody asked for. An array, because most of a search in
 *   a small site is spent here.
 */
export function visitTokenRow(
  row: Uint8Array,
  slots: Uint8Array,
  visit: (slot: number, position: number) => void,
): void {
  let offset = 0
  let position = 0
  while (offset < row.length) {
    let byte = row[offset++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = row[offset++] as number
      value |= (byte & 0x7f) << shift
    }
    position += value & 1
    const slot = slots[value >>> 1] as number
    if (slot !== 0) visit(slot, position)
  }
}

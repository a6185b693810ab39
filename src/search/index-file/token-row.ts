import { ByteWriter } from './byte-writer.ts'

/**
 * The body of a chunk as a row of term ids with positions: one varint of (id × 2 + whether the position advances) per
 * token.
 */
export function encodeTokenRow(tokens: readonly { termId: number; position: number }[]): Uint8Array {
  const writer = new ByteWriter()
  let position = 0
  for (const token of tokens) {
    const moves = token.position !== position
    writer.writeVarint((token.termId << 1) | (moves ? 1 : 0))
    position = token.position
  }
  return writer.finish().slice()
}

/** The same row with other term ids. */
export function renumberTokenRow(row: Uint8Array, newIds: Int32Array, writer: ByteWriter): Uint8Array {
  writer.clear()
  let offset = 0
  while (offset < row.length) {
    let byte = row[offset++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = row[offset++] as number
      value |= (byte & 0x7f) << shift
    }
    writer.writeVarint(((newIds[value >>> 1] as number) << 1) | (value & 1))
  }
  return writer.finish()
}

/** The tokens of a row that were asked for. The arrays are reused between calls, so read them before the next one. */
export interface TokenPlaces {
  length: number
  slots: number[]
  positions: number[]
}

/**
 * Finds every token whose term has a slot, in order of position.
 *
 * @param slots By term id: the slot from 1, or 0 for terms not asked for. An array, because a search in a small site
 *   spends most of its time here.
 */
export function findTokens(row: Uint8Array, slots: Uint8Array, into: TokenPlaces): void {
  let offset = 0
  let position = 0
  let length = 0
  while (offset < row.length) {
    let byte = row[offset++] as number
    let value = byte & 0x7f
    for (let shift = 7; byte >= 0x80; shift += 7) {
      byte = row[offset++] as number
      value |= (byte & 0x7f) << shift
    }
    position += value & 1
    const slot = slots[value >>> 1] as number
    if (slot === 0) continue
    into.slots[length] = slot
    into.positions[length++] = position
  }
  into.length = length
}

import { crc32, deflateSync } from 'node:zlib'

const side = 32
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** A PNG of one color, small enough to cost next to nothing. @param color Red, green and blue, 0 to 255 each. */
export function drawColor(color: readonly [number, number, number]): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Eight bits for each of three channels.
  header.set([8, 2], 8)
  const row = Buffer.concat([Buffer.of(0), ...Array.from({ length: side }, () => Buffer.from(color))])
  const rows = Buffer.concat(Array.from({ length: side }, () => row))
  const chunks = [encodeChunk('IHDR', header), encodeChunk('IDAT', deflateSync(rows)), encodeChunk('IEND', Buffer.of())]
  return Buffer.concat([signature, ...chunks])
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

import type { Readable, Writable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'

const headBytes = 4

/** Messages over a stream of bytes: the length of each, and what `v8.serialize` makes of it. */
export function writeMessage(stream: Writable, message: unknown): void {
  const body = serialize(message)
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(body.length)
  stream.write(Buffer.concat([head, body]))
}

/** @param take Gets each message: both ends are this program, and know what the other one sends. */
export function onMessage(stream: Readable, take: (message: never) => void): void {
  let chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    bytes += chunk.length
    // A large message comes in many pieces, and is put together once.
    while (bytes >= headBytes) {
      if ((chunks[0] as Buffer).length < headBytes) chunks = [Buffer.concat(chunks)]
      const end = headBytes + (chunks[0] as Buffer).readUInt32LE(0)
      if (bytes < end) return
      const whole = Buffer.concat(chunks)
      chunks = [whole.subarray(end)]
      bytes -= end
      // The cast says what the comment above does.
      take(deserialize(whole.subarray(headBytes, end)) as never)
    }
  })
}

import { read } from 'node:fs'
import { promisify } from 'node:util'

const readAsync = promisify(read)

/** @throws {Error} a clause about the file, if it ends before. */
export async function readExactly(descriptor: number, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await readAsync(descriptor, bytes, filled, length - filled, start + filled)
    if (bytesRead === 0) throw new Error('was cut off while it was in use')
    filled += bytesRead
  }
  return bytes
}

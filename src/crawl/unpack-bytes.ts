import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** A reply was longer than its limit, packed or unpacked. */
export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError'

  constructor() {
    super('The reply is larger than a crawl takes.')
  }
}

const unpackGzip = promisify(gunzip)
const unpackDeflate = promisify(inflate)
const unpackBrotli = promisify(brotliDecompress)

/**
 * Undoes a content encoding, never making more than `bytesMax` bytes of it.
 *
 * @throws {ReplyTooLargeError}
 * @throws {Error} for bytes that are not in that encoding, and for an encoding that was not asked for.
 */
export async function unpackBytes(bytes: Uint8Array, encoding: string, bytesMax: number): Promise<Uint8Array> {
  const options = { maxOutputLength: bytesMax }
  try {
    switch (encoding.trim().toLowerCase()) {
      case '':
      case 'identity':
        return bytes
      case 'gzip':
      case 'x-gzip':
        return await unpackGzip(bytes, options)
      case 'deflate':
        return await unpackDeflate(bytes, options)
      case 'br':
        return await unpackBrotli(bytes, options)
      default:
        throw new Error(`The reply is encoded as ${encoding.slice(0, 50)}, which was not asked for.`)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new ReplyTooLargeError()
    throw error
  }
}

/** Whether bytes begin as gzip does: sitemaps are often served as such files. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

/** A response exceeded its size limit, compressed or decompressed. */
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
 * Decodes a content encoding, never producing more than `bytesMax` bytes.
 *
 * @throws {ReplyTooLargeError}
 * @throws {Error} for malformed data, and for an encoding that was not requested.
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

/** Whether bytes start with the gzip magic number: sitemaps are often served gzipped. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Encoding } from './accepted-encoding.ts'

/** Slow but small, because the result is cached. */
const keptQuality = 9
const streamedQuality = 4
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

const keptBytesMaxDefault = 16 * 1024 * 1024

interface Kept {
  compressed: Promise<Uint8Array<ArrayBuffer>>
  /** 0 until compressed. */
  bytes: number
}

/**
 * Caches compressed copies of frequently sent bodies, keyed by content, so that each is compressed once, on zlib's
 * threads rather than the event loop.
 */
export class CompressedBodies {
  readonly #keptBytesMax: number
  /** Least recently used first. */
  readonly #kept = new Map<string, Kept>()
  #keptBytes = 0

  constructor(keptBytesMax: number = keptBytesMaxDefault) {
    this.#keptBytesMax = keptBytesMax
  }

  /** @param digest From `digestBody`. */
  find(body: Uint8Array, digest: string, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
    const key = `${encoding} ${digest}`
    const kept = this.#kept.get(key) ?? { compressed: this.#make(key, body, encoding), bytes: 0 }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept.compressed
  }

  async #make(key: string, body: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
    try {
      const compressed = await compress(body, encoding)
      this.#note(key, compressed.byteLength)
      return compressed
    } catch (error) {
      this.#kept.delete(key)
      throw error
    }
  }

  #note(key: string, bytes: number): void {
    const made = this.#kept.get(key)
    if (made === undefined) return
    made.bytes = bytes
    this.#keptBytes += bytes
    for (const [oldest, kept] of this.#kept) {
      if (this.#keptBytes <= this.#keptBytesMax) return
      this.#kept.delete(oldest)
      this.#keptBytes -= kept.bytes
    }
  }
}

async function compress(body: Uint8Array, encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
  if (encoding === 'gzip') return compressGzip(body, { level: 9 })
  const params = { [constants.BROTLI_PARAM_QUALITY]: keptQuality, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength }
  return compressBrotli(body, { params })
}

/** Content hash of a body. */
export function digestBody(body: Uint8Array): string {
  return createHash('sha256').update(body).digest('base64url').slice(0, 22)
}

/** Compresses a body while it is generated and sent. */
export function compressStream(body: AsyncIterable<Uint8Array>, encoding: Encoding): ReadableStream<Uint8Array> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: streamedQuality }
  const packer = encoding === 'gzip' ? createGzip() : createBrotliCompress({ params })
  const source = Readable.from(body, { objectMode: false })
  source.on('error', (error) => packer.destroy(error))
  // If the client disconnects, stop the source too.
  packer.on('close', () => source.destroy())
  return toReadableStream(source.pipe(packer))
}

export function toReadableStream(body: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const source = body instanceof Readable ? body : Readable.from(body, { objectMode: false })
  // Node's web stream type and the response's differ in name only.
  return Readable.toWeb(source) as ReadableStream<Uint8Array>
}

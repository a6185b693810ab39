import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { ChunkSet } from '../index-file/chunk-set.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { IndexReadError } from '../index-file/index-read-error.ts'
import { dotProduct, toUnitVector } from './quantize-vector.ts'
import { countDifferentBits, countWords, writeSignBits } from './sign-bits.ts'
import {
  digestIndex,
  computeVectorLayout,
  readHeaderLength,
  type VectorHeader,
  vectorHeaderSchema,
  vectorHeaderStart,
} from './vector-file-format.ts'

/** A chunk similar to a question. */
export interface NearChunk {
  chunk: number
  /** Similarity: 0 for unrelated passages, 1 for neighbours on a page; may exceed 1. */
  similarity: number
}

/** Chunks compared in full: this many, or this share of the set if that is more. */
const comparedMin = 1_000
const comparedShare = 0.02
/** Consecutive rows are read at once. */
const rowsPerRead = 32

/**
 * The open vectors of an index file. Synchronous, so only for worker threads. Uses one bit per dimension and four bytes
 * per chunk in memory.
 */
export class VectorIndex {
  readonly header: VectorHeader
  readonly #descriptor: number
  readonly #rowsStart: number
  readonly #mean: Float32Array
  readonly #scales: Float32Array
  readonly #bits: Uint32Array
  readonly #rows: Int8Array

  /**
   * @param file The vector file: see `nameVectorFile`.
   * @throws {Error} a sentence, if it is missing, damaged, or belongs to another index.
   */
  constructor(index: IndexFile, file: string) {
    this.#descriptor = openSync(file, 'r')
    try {
      const { header, headerBytes } = readHeader(this.#descriptor, file)
      const { dimensions, chunkCount } = header
      const layout = computeVectorLayout(headerBytes, header)
      const isOfIndex = chunkCount === index.chunkPages.length && header.index === digestIndex(index)
      if (!isOfIndex || fstatSync(this.#descriptor).size !== layout.end) throw explainVectorFile(file)
      const head = readBytes(this.#descriptor, layout.mean, layout.rows - layout.mean)
      if (createHash('sha256').update(head).digest('hex') !== header.digest) throw explainVectorFile(file)
      this.header = header
      this.#rowsStart = layout.rows
      this.#mean = new Float32Array(head.buffer, 0, dimensions)
      this.#scales = new Float32Array(head.buffer, layout.scales - layout.mean, chunkCount)
      this.#bits = new Uint32Array(head.buffer, layout.bits - layout.mean, chunkCount * countWords(dimensions))
      this.#rows = new Int8Array(dimensions * rowsPerRead)
    } catch (error) {
      closeSync(this.#descriptor)
      throw error
    }
  }

  /**
   * The chunks of a set most similar to a question. The bits preselect those compared in full, about a fiftieth of a
   * large site.
   *
   * @param weigh Factor on the similarity of a chunk; see `boostFactor`.
   * @returns At most `limit`, most similar first; none if the question has another number of dimensions.
   */
  findNearest(question: Float32Array, set: ChunkSet, limit: number, weigh: (chunk: number) => number): NearChunk[] {
    const unit = question.length === this.header.dimensions ? toUnitVector(question) : null
    if (unit === null) return []
    const { unrelated, related } = this.header
    const near: NearChunk[] = []
    this.#visitRows(this.#chooseCompared(unit, set), (chunk, offset) => {
      const cosine = dotProduct(unit, this.#rows, offset) * (this.#scales[chunk] as number)
      const similarity = ((cosine - unrelated) / (related - unrelated)) * weigh(chunk)
      if (similarity > 0) near.push({ chunk, similarity })
    })
    return near.sort((one, other) => other.similarity - one.similarity || one.chunk - other.chunk).slice(0, limit)
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #chooseCompared(unit: Float32Array, { mask, count }: ChunkSet): number[] {
    const wanted = Math.max(comparedMin, Math.ceil(count * comparedShare))
    if (count <= wanted) return this.#listWithVectors(mask)
    const words = countWords(unit.length)
    const question = new Uint32Array(words)
    writeSignBits((dimension) => unit[dimension] as number, this.#mean, question, 0)
    const distances = new Uint32Array(mask.length)
    const counts = new Uint32Array(unit.length + 1)
    for (let chunk = 0; chunk < mask.length; chunk++) {
      if (mask[chunk] === 0 || this.#scales[chunk] === 0) continue
      const distance = countDifferentBits(this.#bits, chunk * words, question)
      distances[chunk] = distance + 1
      counts[distance] = (counts[distance] as number) + 1
    }
    let farthest = 0
    for (let sum = 0; farthest < unit.length; farthest++) if ((sum += counts[farthest] as number) >= wanted) break
    const chosen: number[] = []
    distances.forEach((distance, chunk) => void (distance > 0 && distance <= farthest + 1 && chosen.push(chunk)))
    return chosen
  }

  #listWithVectors(mask: Uint8Array): number[] {
    const chunks: number[] = []
    for (let chunk = 0; chunk < mask.length; chunk++) {
      if (mask[chunk] !== 0 && this.#scales[chunk] !== 0) chunks.push(chunk)
    }
    return chunks
  }

  /**
   * Reads the vectors of chunks from the file, which the system caches in memory if it can.
   *
   * @param chunks Ascending.
   * @param visit Gets the offset of the chunk's vector in `#rows`.
   */
  #visitRows(chunks: readonly number[], visit: (chunk: number, offset: number) => void): void {
    const { dimensions } = this.header
    for (let start = 0, end = 0; start < chunks.length; start = end) {
      const first = chunks[start] as number
      end = start + 1
      while (chunks[end] === first + end - start && end - start < rowsPerRead) end++
      const length = (end - start) * dimensions
      const read = readSync(this.#descriptor, this.#rows, 0, length, this.#rowsStart + first * dimensions)
      if (read !== length) throw new IndexReadError('vectors', 'The vector file of this index was truncated.')
      for (let place = start; place < end; place++) visit(chunks[place] as number, (place - start) * dimensions)
    }
  }
}

function readHeader(descriptor: number, file: string): { header: VectorHeader; headerBytes: number } {
  const headerBytes = readHeaderLength(Buffer.from(readBytes(descriptor, 0, vectorHeaderStart)))
  if (headerBytes === null) throw explainVectorFile(file)
  try {
    const json = Buffer.from(readBytes(descriptor, vectorHeaderStart, headerBytes)).toString('utf8')
    return { header: vectorHeaderSchema.parse(JSON.parse(json)), headerBytes }
  } catch (error) {
    throw explainVectorFile(file, error)
  }
}

/** Reads into a separate buffer, because typed arrays need alignment. Shorter if the file ends early. */
function readBytes(descriptor: number, start: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const read = readSync(descriptor, bytes, filled, length - filled, start + filled)
    if (read === 0) break
    filled += read
  }
  return bytes
}

function explainVectorFile(file: string, cause?: unknown): Error {
  return new Error(`The vectors ${file} are damaged or belong to another index. They will be recreated.`, { cause })
}

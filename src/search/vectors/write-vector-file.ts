import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { calibrateSimilarity } from './calibrate-similarity.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { dotProduct, type QuantizedVector } from './quantize-vector.ts'
import { countWords, writeSignBits } from './sign-bits.ts'
import { syncPath } from '../index-file/sync-path.ts'
import { findOpenReader, isVisible } from '../ranking/page-access.ts'
import { type Fusion, unmeasuredFusion } from './choose-fusion.ts'
import {
  beginFileDigest,
  digestIndex,
  encodeVectorHeader,
  nameVectorFile,
  type VectorHeader,
} from './vector-file-format.ts'
import { VectorIndex } from './vector-index.ts'

export interface VectorFileInput {
  index: IndexFile
  indexFile: string
  /** `provider/model`. */
  model: string
  dimensions: number
  /** Vector of a chunk, or null if it has none. */
  getVector(chunk: number): QuantizedVector | null
  /** Decides from the vectors how they are used; without it, that is not measured. */
  chooseFusion?(vectors: VectorIndex): Fusion
}

/**
 * Writes the vector file of an index file: synced, and under a temporary name until complete. Blocks: for a worker
 * thread. Holds all vectors in memory, one byte per dimension.
 *
 * @returns How the vectors are used.
 * @throws {Error} if it cannot be written; then nothing is left behind.
 */
export function writeVectorFile(input: VectorFileInput): Fusion {
  const file = nameVectorFile(input.indexFile)
  const unfinished = `${file}.${process.pid}.unfinished`
  const parts = makeParts(input)
  try {
    writeParts(unfinished, encodeParts(parts, unmeasuredFusion))
    const fusion = measure(input, unfinished)
    if (fusion !== unmeasuredFusion) writeParts(unfinished, encodeParts(parts, fusion))
    renameSync(unfinished, file)
    syncPath(dirname(file))
    return fusion
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}

function measure({ index, chooseFusion }: VectorFileInput, file: string): Fusion {
  if (chooseFusion === undefined) return unmeasuredFusion
  const vectors = new VectorIndex(index, file)
  try {
    return chooseFusion(vectors)
  } finally {
    vectors.close()
  }
}

interface VectorParts {
  header: Omit<VectorHeader, 'fusion' | 'fileDigest'>
  contents: readonly Uint8Array[]
}

function encodeParts({ header, contents }: VectorParts, fusion: Fusion): Uint8Array[] {
  const whole = { ...header, fusion }
  const fileDigest = beginFileDigest(whole)
  for (const part of contents) fileDigest.update(part)
  return [encodeVectorHeader({ ...whole, fileDigest: fileDigest.digest('hex') }), ...contents]
}

function makeParts({ index, model, dimensions, getVector }: VectorFileInput): VectorParts {
  const chunkCount = index.chunkPages.length
  const scales = new Float32Array(chunkCount)
  const rows = new Int8Array(chunkCount * dimensions)
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    const vector = getVector(chunk)
    if (vector === null) continue
    scales[chunk] = vector.scale
    rows.set(vector.bytes, chunk * dimensions)
  }
  const vectors: Vectors = { dimensions, scales, rows }
  const open = listOpenChunks(index, scales)
  const mean = averageVectors(vectors, open)
  const bits = signVectors(vectors, mean)
  const calibration = calibrateSimilarity(index, open, (one, other) => compareVectors(vectors, one, other))
  const held = [toBytes(mean), toBytes(scales), toBytes(bits)]
  const hash = createHash('sha256')
  for (const part of held) hash.update(part)
  const header = {
    model,
    dimensions,
    chunkCount,
    index: digestIndex(index),
    ...calibration,
    digest: hash.digest('hex'),
  }
  return { header, contents: [...held, toBytes(rows)] }
}

interface Vectors {
  dimensions: number
  scales: Float32Array
  rows: Int8Array
}

/** Public chunks; if a site has none, those that every signed-in reader may see. */
function listOpenChunks({ chunkPages, pages }: IndexFile, scales: Float32Array): number[] {
  const reader = findOpenReader(pages)
  const isOpen = pages.map((page) => isVisible(page, reader))
  return Array.from(chunkPages.keys()).filter((chunk) => scales[chunk] !== 0 && isOpen[chunkPages[chunk] as number])
}

function averageVectors({ dimensions, scales, rows }: Vectors, chunks: readonly number[]): Float32Array {
  const sums = new Float64Array(dimensions)
  for (const chunk of chunks) {
    const scale = scales[chunk] as number
    for (let dimension = 0; dimension < dimensions; dimension++) {
      sums[dimension] = (sums[dimension] as number) + (rows[chunk * dimensions + dimension] as number) * scale
    }
  }
  return Float32Array.from(sums, (sum) => sum / Math.max(1, chunks.length))
}

function signVectors({ dimensions, scales, rows }: Vectors, mean: Float32Array): Uint32Array {
  const words = countWords(dimensions)
  const bits = new Uint32Array(scales.length * words)
  scales.forEach((scale, chunk) => {
    if (scale === 0) return
    const start = chunk * dimensions
    writeSignBits((dimension) => (rows[start + dimension] as number) * scale, mean, bits, chunk * words)
  })
  return bits
}

function compareVectors({ dimensions, scales, rows }: Vectors, one: number, other: number): number {
  const unit = Float32Array.from(rows.subarray(one * dimensions, (one + 1) * dimensions), (value) => {
    return value * (scales[one] as number)
  })
  return dotProduct(unit, rows, other * dimensions) * (scales[other] as number)
}

function writeParts(file: string, parts: readonly Uint8Array[]): void {
  const descriptor = openSync(file, 'w', 0o600)
  try {
    for (const part of parts) writeWhole(descriptor, part)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A single write may be short, and never exceeds two gigabytes. */
function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
}

const toBytes = (array: Float32Array | Uint32Array | Int8Array) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength)

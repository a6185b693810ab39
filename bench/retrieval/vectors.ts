import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIndexFile } from '../../src/search/index-file/build-index-file.ts'
import { makeChunkSet } from '../../src/search/index-file/chunk-set.ts'
import { IndexFile } from '../../src/search/index-file/index-file.ts'
import { quantizeVector } from '../../src/search/vectors/quantize-vector.ts'
import { makeTestInput, makeTestPage } from '../../test/support/search-test-site.ts'
import { nameVectorFile } from '../../src/search/vectors/vector-file-format.ts'
import { VectorIndex } from '../../src/search/vectors/vector-index.ts'
import { writeVectorFile } from '../../src/search/vectors/write-vector-file.ts'

// How fast and how exactly the nearest passages are found, in one thread, against comparing all of them in full.

const sizes: readonly (readonly [chunks: number, dimensions: number])[] = [
  [20_000, 384],
  [20_000, 1_536],
  [100_000, 384],
  [100_000, 1_536],
]
const chunksPerPage = 8
const questionsAsked = 30
const nearestAsked = 50
/** The made vectors vary in so many directions, as those of models vary in far fewer than they have dimensions. */
const directions = 64

export function benchVectors(isQuick: boolean): void {
  const rows = (isQuick ? sizes.slice(0, 1) : sizes).map(([chunks, dimensions]) => {
    const figures = measureVectors(chunks, dimensions)
    return [`${chunks} × ${dimensions}`, figures] as const
  })
  console.log('\nNearest passages of made vectors: clusters of pages around a shared direction')
  console.table(Object.fromEntries(rows))
}

function measureVectors(chunks: number, dimensions: number): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'docent-vectors-'))
  const pageCount = Math.ceil(chunks / chunksPerPage)
  const make = createVectorMaker(dimensions, pageCount)
  const indexFile = join(folder, 'index.sqlite')
  buildIndexFile(indexFile, makeCorpus(chunks))
  const index = new IndexFile(indexFile)
  // With the spare ones, which have vectors here.
  const chunkCount = index.chunkPages.length
  const vectors = new Float32Array(chunkCount * dimensions)
  for (let chunk = 0; chunk < chunkCount; chunk++) {
    vectors.set(make(index.chunkPages[chunk] as number, 0.8), chunk * dimensions)
  }
  const readVector = (chunk: number) => vectors.subarray(chunk * dimensions, (chunk + 1) * dimensions)
  const getVector = (chunk: number) => quantizeVector(readVector(chunk))
  writeVectorFile({ index, indexFile, model: 'bench/made', dimensions, getVector })
  const opened = new VectorIndex(index, nameVectorFile(indexFile))
  const all = makeChunkSet(new Uint8Array(chunkCount).fill(1))
  const durations: number[] = []
  let found = 0
  for (let asked = 0; asked < questionsAsked; asked++) {
    const question = make((asked * 997) % pageCount, 1)
    const exact = listNearest(question, chunkCount, readVector)
    const start = performance.now()
    const near = opened.findNearest(question, all, nearestAsked, () => 1)
    durations.push(performance.now() - start)
    found += near.filter(({ chunk }) => exact.has(chunk)).length
  }
  opened.close()
  index.close()
  const bytes = statSync(nameVectorFile(indexFile)).size
  rmSync(folder, { recursive: true, force: true })
  durations.sort((one, other) => one - other)
  return {
    'p50 ms': (durations[questionsAsked >> 1] ?? 0).toFixed(1),
    'p95 ms': (durations[Math.floor(questionsAsked * 0.95)] ?? 0).toFixed(1),
    [`found of the nearest ${nearestAsked}`]: (found / (questionsAsked * nearestAsked)).toFixed(3),
    'bytes a chunk on disk': (bytes / chunkCount).toFixed(0),
  }
}

function makeCorpus(chunkCount: number) {
  const pages = Array.from({ length: Math.ceil(chunkCount / chunksPerPage) }, (_, page) => {
    const count = Math.min(chunksPerPage, chunkCount - page * chunksPerPage)
    return makeTestPage(`/${page}`, 'Page', Array.from({ length: count }, (_, part) => `Part ${part}`).join('\n\n'))
  })
  return makeTestInput(pages)
}

function listNearest(
  question: Float32Array,
  chunkCount: number,
  readVector: (chunk: number) => Float32Array,
): Set<number> {
  const cosines = Float64Array.from({ length: chunkCount }, (_, chunk) => measureCosine(question, readVector(chunk)))
  const order = Array.from(cosines.keys()).sort((one, other) => (cosines[other] as number) - (cosines[one] as number))
  return new Set(order.slice(0, nearestAsked))
}

/** Without the length of the question, which is the same for all. */
function measureCosine(question: Float32Array, vector: Float32Array): number {
  let [dot, square] = [0, 0]
  for (let place = 0; place < question.length; place++) {
    const value = vector[place] as number
    dot += (question[place] as number) * value
    square += value * value
  }
  return dot / Math.sqrt(square)
}

/** Vectors of a page stand around its own place, and all of them around a direction that they share. */
function createVectorMaker(dimensions: number, pageCount: number): (page: number, spread: number) => Float32Array {
  const draw = createNormalSource(5)
  const drawVector = (length: number) => Float32Array.from({ length }, draw)
  const basis = Array.from({ length: directions }, () => drawVector(dimensions))
  const shared = drawVector(dimensions).map((value) => value * 4)
  const places = Array.from({ length: pageCount }, () => drawVector(directions))
  return (page, spread) => {
    const vector = shared.map((value) => value + draw() * 0.8)
    places[page]?.forEach((place, direction) => {
      const share = (place + spread * draw()) / Math.sqrt(1 + direction / 8)
      basis[direction]?.forEach((value, dimension) => {
        vector[dimension] = (vector[dimension] as number) + share * value
      })
    })
    return vector
  }
}

/** Normally distributed numbers, the same on every machine. */
function createNormalSource(seed: number): () => number {
  let state = seed
  const drawUniform = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  return () => Math.sqrt(-2 * Math.log(drawUniform() + 1e-12)) * Math.cos(2 * Math.PI * drawUniform())
}

import { type EmbeddedPassage, listEmbeddedPassages } from '../index-file/embedded-passages.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { VectorCache } from './vector-cache.ts'
import { isVectorFileWhole, readVectorHeader } from './read-vector-header.ts'
import { VectorIndex } from './vector-index.ts'
import { writeVectorFile } from './write-vector-file.ts'

/** Embeds passages over the network. */
export interface PassageEmbedder {
  /** `provider/model`. */
  model: string
  /** Calls back with each finished part, in any order. @returns Places of texts without a vector. */
  embed(
    texts: readonly string[],
    onEmbedded: (places: readonly number[], vectors: readonly (readonly number[])[]) => void,
  ): Promise<readonly number[]>
}

export interface EmbedIndexFileInput {
  indexFile: string
  /** Cache of the site's vectors between generations. */
  cacheFile: string
  embedder: PassageEmbedder
  /** Called as vectors arrive. */
  onProgress?(done: number, total: number): void
}

export interface EmbedIndexFileResult {
  /** Whether the vectors already existed. */
  wasDone: boolean
  /** Passages embedded now, reused from the cache, and refused by the model. */
  embedded: number
  reused: number
  refused: number
}

/** The same model now returns vectors of another length, so another model is behind its name. */
class DimensionsChangedError extends Error {
  override readonly name = 'DimensionsChangedError'

  constructor() {
    super('The embedding model returns vectors of varying lengths. Check which model its address serves.')
  }
}

/**
 * Creates the vector file of an index file. Vectors known from an earlier generation or attempt are reused. For a
 * worker thread: reads and writes block.
 *
 * @throws {VectorCacheInUseError} if another process is doing so.
 * @throws {Error} if the model fails; the vectors received until then are kept.
 */
export async function embedIndexFile(input: EmbedIndexFileInput): Promise<EmbedIndexFileResult> {
  const index = new IndexFile(input.indexFile)
  try {
    if (await hasVectors(index, input)) return { wasDone: true, embedded: 0, reused: 0, refused: 0 }
    const cache = new VectorCache(input.cacheFile, input.embedder.model)
    try {
      return await embedAll(index, cache, input)
    } catch (error) {
      if (!(error instanceof DimensionsChangedError)) throw error
      cache.forgetModel()
      return await embedAll(index, cache, input)
    } finally {
      cache.close()
    }
  } finally {
    index.close()
  }
}

/** Damaged vectors and those of another model do not count. */
async function hasVectors(index: IndexFile, { indexFile, embedder }: EmbedIndexFileInput): Promise<boolean> {
  try {
    const vectors = new VectorIndex(index, indexFile)
    vectors.close()
  } catch {
    return false
  }
  const header = await readVectorHeader(indexFile)
  return header?.model === embedder.model && (await isVectorFileWhole(indexFile))
}

async function embedAll(
  index: IndexFile,
  cache: VectorCache,
  input: EmbedIndexFileInput,
): Promise<EmbedIndexFileResult> {
  const { hashes, missing } = listMissing(index, cache)
  const total = missing.length
  let embedded = 0
  let { dimensions } = cache
  const refused = await input.embedder.embed(
    missing.map(({ text }) => text),
    (places, vectors) => {
      dimensions ??= vectors[0]?.length ?? null
      if (vectors.some((vector) => vector.length !== dimensions)) throw new DimensionsChangedError()
      cache.put(places.map((place, at) => ({ hash: hashOf(missing, place), vector: vectors[at] as readonly number[] })))
      embedded += places.length
      input.onProgress?.(embedded, total)
    },
  )
  if (dimensions !== null) {
    const { indexFile, embedder } = input
    const getVector = (chunk: number) => {
      const hash = hashes.get(chunk)
      return hash === undefined ? null : cache.get(hash)
    }
    writeVectorFile({ index, indexFile, model: embedder.model, dimensions, getVector })
    cache.prune([...hashes.values()])
  }
  return { wasDone: false, embedded, reused: hashes.size - total, refused: refused.length }
}

const hashOf = (passages: readonly EmbeddedPassage[], place: number) => (passages[place] as EmbeddedPassage).hash

/** Equal passages are embedded once. */
function listMissing(index: IndexFile, cache: VectorCache) {
  const hashes = new Map<number, Uint8Array>()
  const missing = new Map<string, EmbeddedPassage>()
  for (const passage of listEmbeddedPassages(index)) {
    hashes.set(passage.chunk, passage.hash)
    const name = Buffer.from(passage.hash).toString('latin1')
    if (!missing.has(name) && cache.get(passage.hash) === null) missing.set(name, passage)
  }
  return { hashes, missing: [...missing.values()] }
}

import { type EmbeddedPassage, hashText, listEmbeddedPassages } from '../index-file/embedded-passages.ts'
import { IndexFile } from '../index-file/index-file.ts'
import { readLinkQueries } from '../link-queries/read-link-queries.ts'
import type { LinkQueries } from '../link-queries/list-link-queries.ts'
import type { Fusion } from './choose-fusion.ts'
import { measureFusion } from './measure-fusion.ts'
import { VectorCache } from './vector-cache.ts'
import { isVectorFileWhole, readVectorHeader } from './read-vector-header.ts'
import { nameVectorFile } from './vector-file-format.ts'
import { VectorIndex } from './vector-index.ts'
import { writeVectorFile } from './write-vector-file.ts'

/** Embeds over the network or on this machine. */
export interface PassageEmbedder {
  /** `provider/model`. */
  model: string
  /** Calls back with each finished part, in any order. @returns Places of texts without a vector. */
  embed(
    kind: 'passage' | 'question',
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
  /** How the vectors take part in searches; null if there are none. */
  fusion: Fusion | null
}

/** Link texts that are embedded to measure a model: few next to the passages of a site, enough to tell a bad one. */
const questionsMax = 200

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
    if (await hasVectors(index, input)) return { wasDone: true, embedded: 0, reused: 0, refused: 0, fusion: null }
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
    const vectors = new VectorIndex(index, nameVectorFile(indexFile))
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
  const refused = await embedMissing(cache, input, 'passage', missing)
  const links = readLinkQueries(index, questionsMax)
  const questions = links.queries.map(({ text }) => ({ text, hash: hashQuestion(text) }))
  const unknown = questions.filter(({ hash }) => cache.get(hash) === null)
  if (unknown.length > 0) await embedMissing(cache, input, 'question', unknown)
  const fusion = writeVectors(index, cache, input, { hashes, links })
  cache.prune([...hashes.values(), ...questions.map(({ hash }) => hash)])
  const embedded = missing.length - refused.length
  return { wasDone: false, embedded, reused: hashes.size - missing.length, refused: refused.length, fusion }
}

interface MissingText {
  text: string
  hash: Uint8Array
}

/** @returns Places of texts without a vector. */
async function embedMissing(
  cache: VectorCache,
  { embedder, onProgress }: EmbedIndexFileInput,
  kind: 'passage' | 'question',
  missing: readonly MissingText[],
): Promise<readonly number[]> {
  let embedded = 0
  let { dimensions } = cache
  return embedder.embed(
    kind,
    missing.map(({ text }) => text),
    (places, vectors) => {
      dimensions ??= vectors[0]?.length ?? null
      if (vectors.some((vector) => vector.length !== dimensions)) throw new DimensionsChangedError()
      cache.put(places.map((place, at) => ({ hash: hashOf(missing, place), vector: vectors[at] as readonly number[] })))
      embedded += places.length
      if (kind === 'passage') onProgress?.(embedded, missing.length)
    },
  )
}

/** Nothing is written if no passage has a vector. */
function writeVectors(
  index: IndexFile,
  cache: VectorCache,
  { indexFile, embedder }: EmbedIndexFileInput,
  { hashes, links }: { hashes: ReadonlyMap<number, Uint8Array>; links: LinkQueries },
): Fusion | null {
  const { dimensions } = cache
  if (dimensions === null) return null
  const get = (hash: Uint8Array | undefined) => (hash === undefined ? null : cache.get(hash))
  const getQuestion = (text: string) => {
    const vector = get(hashQuestion(text))
    return vector === null ? null : Float32Array.from(vector.bytes)
  }
  return writeVectorFile({
    index,
    indexFile,
    model: embedder.model,
    dimensions,
    getVector: (chunk) => get(hashes.get(chunk)),
    chooseFusion: (vectors) => measureFusion(index, vectors, links, getQuestion),
  })
}

/** Some models embed a question differently from an equal passage. */
const hashQuestion = (text: string) => hashText(`question\n${text}`)

const hashOf = (texts: readonly MissingText[], place: number) => (texts[place] as MissingText).hash

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

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { IdSource } from '../../base/ids.ts'
import type { EmbeddingSettings } from '../../models/embeddings/open-embedding-model.ts'
import { readVectorHeader } from '../../search/vectors/read-vector-header.ts'
import { getCurrentIndexGeneration, type IndexGeneration } from '../../store/sites/index-generations.ts'
import type { Store } from '../../store/store.ts'
import { LeaseHeldError, withLease } from '../../store/with-lease.ts'
import type { Log } from '../../telemetry/log.ts'
import type { IndexCache } from './index-cache.ts'
import { runEmbedWorker } from './run-embed-worker.ts'

export interface EmbedSiteDeps {
  store: Store
  log: Log
  /** Folder of the index files and their vectors. */
  indexFolder: string
  /** Set when several processes share a database but no folder. */
  shared?: { indexCache: IndexCache; ids: IdSource } | undefined
  /** Folder of the vectors cached between generations; created if missing. */
  vectorFolder: string
  /** Must name a model: without one there is nothing to create. */
  settings: EmbeddingSettings & { embeddingModel: string }
}

/**
 * Creates the vectors of the index that a site serves now, unless they exist.
 *
 * @throws {Error} with a message, when the model fails or `signal` aborts; vectors created until then are cached.
 */
export async function embedSite(deps: EmbedSiteDeps, siteId: string, signal: AbortSignal): Promise<void> {
  const generation = await getCurrentIndexGeneration(deps.store.durable, siteId)
  if (generation === null) return
  if (deps.shared === undefined) return embedGeneration(deps, generation, signal)
  const { shared, store } = deps
  try {
    // Embedding costs money: only one of several processes does it.
    const lease = { name: `embed:${siteId}`, waitMsMax: 0, signal }
    await withLease({ store, ids: shared.ids }, lease, (held) => embedShared(deps, shared.indexCache, generation, held))
  } catch (error) {
    if (!(error instanceof LeaseHeldError)) throw error
  }
}

async function embedShared(
  deps: EmbedSiteDeps,
  indexCache: IndexCache,
  generation: IndexGeneration,
  signal: AbortSignal,
): Promise<void> {
  const { embeddingModel } = deps.settings
  if ((await indexCache.findVectors(generation))?.model === embeddingModel) return
  const indexFile = await indexCache.bring(generation)
  await embedGeneration(deps, generation, signal)
  if ((await readVectorHeader(indexFile))?.model === embeddingModel) {
    await indexCache.shareVectors(generation, embeddingModel, signal)
  }
}

async function embedGeneration(deps: EmbedSiteDeps, generation: IndexGeneration, signal: AbortSignal): Promise<void> {
  const { log, indexFolder, vectorFolder, settings } = deps
  const { siteId } = generation
  const indexFile = join(indexFolder, generation.file)
  if ((await readVectorHeader(indexFile))?.model === settings.embeddingModel) return
  await mkdir(vectorFolder, { recursive: true, mode: 0o700 })
  const input = { indexFile, cacheFile: join(vectorFolder, siteId), settings }
  const result = await runEmbedWorker(input, { signal, log: log.child({ siteId }) })
  if (result === null) return
  log.info({ siteId, generation: generation.number, ...result }, 'site-embedded')
  if (result.fusion?.weight === 0) log.warn({ siteId, ...result.fusion.measured }, 'vectors-not-used')
}

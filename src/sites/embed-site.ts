import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddingSettings } from '../models/embedding-providers.ts'
import { readVectorModel } from '../search/read-vector-model.ts'
import { getCurrentIndexGeneration } from '../store/index-generations.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import { runEmbedWorker } from './run-embed-worker.ts'

export interface EmbedSiteDeps {
  store: Store
  log: Log
  /** The folder of the index files; their vectors lie beside them. */
  indexFolder: string
  /** The folder of what is kept of vectors between generations; made when missing. */
  vectorFolder: string
  /** Name a model: without one there is nothing to make. */
  settings: EmbeddingSettings & { embeddingModel: string }
}

/**
 * Makes the vectors of the index that a site serves now, unless they are there.
 *
 * @throws {Error} with a sentence, when the model fails or `signal` aborts; what was made until then is kept.
 */
export async function embedSite(deps: EmbedSiteDeps, siteId: string, signal: AbortSignal): Promise<void> {
  const { store, log, indexFolder, vectorFolder, settings } = deps
  const generation = await getCurrentIndexGeneration(store.durable, siteId)
  if (generation === null) return
  const indexFile = join(indexFolder, generation.file)
  if ((await readVectorModel(indexFile)) === settings.embeddingModel) return
  await mkdir(vectorFolder, { recursive: true, mode: 0o700 })
  const input = { indexFile, cacheFile: join(vectorFolder, siteId), settings }
  const result = await runEmbedWorker(input, { signal, log: log.child({ siteId }) })
  if (result !== null) log.info({ siteId, generation: generation.number, ...result }, 'site-embedded')
}

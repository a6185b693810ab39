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
import { dayMs } from '../../base/durations.ts'
import { Worker } from 'node:worker_threads'
import type { EmbedIndexFileResult } from '../../search/vectors/embed-index-file.ts'
import type { EmbedIndexInput, EmbedThreadMessage } from './embed-index-thread.ts'

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

/** For texts without a vector; the vectors themselves are outside this heap. */
const memoryMbMax = 1_024
/** A large site with a slow provider takes hours; finished work is cached. */
const runMsMax = dayMs

interface RunEmbedWorkerOptions {
  signal: AbortSignal
  log: Log
  onProgress?(done: number, total: number): void
}

/**
 * Creates the vectors of an index file in a separate thread.
 *
 * @returns Null if another process is creating them.
 * @throws {Error} with a message, when the model fails or `signal` aborts; vectors created until then are cached.
 */
async function runEmbedWorker(
  input: EmbedIndexInput,
  options: RunEmbedWorkerOptions,
): Promise<EmbedIndexFileResult | null> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(runMsMax)])
  signal.throwIfAborted()
  const entry = new URL('./embed-index-worker.ts', import.meta.url)
  const worker = new Worker(entry, {
    workerData: input,
    name: 'embedding',
    resourceLimits: { maxOldGenerationSizeMb: memoryMbMax },
  })
  try {
    return await readEnd(worker, { ...options, signal })
  } finally {
    await worker.terminate()
  }
}

function readEnd(
  worker: Worker,
  { signal, log, onProgress }: RunEmbedWorkerOptions,
): Promise<EmbedIndexFileResult | null> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: EmbedThreadMessage) => {
      if (message.kind === 'log') log[message.level](message.fields, message.event)
      else if (message.kind === 'progress') onProgress?.(message.done, message.total)
      else if (message.kind === 'done') resolve(message.result)
      else if (message.kind === 'elsewhere') resolve(null)
      else reject(new Error(message.message))
    })
    worker.once('error', (error) => reject(new Error(`Making vectors failed: ${error.message}`, { cause: error })))
    worker.once('exit', () => reject(new Error('Embedding ended without a result. It will be retried.')))
    signal.addEventListener('abort', () => reject(new Error('Embedding was stopped.')), { once: true })
  })
}

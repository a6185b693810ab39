import { parentPort, workerData } from 'node:worker_threads'
import { nameModel } from '../../contract/model-providers.ts'
import { systemClock } from '../../base/clock.ts'
import { type EmbeddingSettings, openEmbeddingModel } from '../../models/embeddings/open-embedding-model.ts'
import { embedPassages } from '../../models/embeddings/embed-passages.ts'
import { sleep } from '../../base/sleep.ts'
import { embedIndexFile, type EmbedIndexFileResult } from '../../search/vectors/embed-index-file.ts'
import { VectorCacheInUseError } from '../../search/vectors/vector-cache.ts'
import type { Log } from '../../telemetry/log.ts'

export interface EmbedIndexInput {
  indexFile: string
  cacheFile: string
  settings: EmbeddingSettings
}

/** Messages of the thread: any number of log lines and progress reports, then the outcome. */
export type EmbedThreadMessage =
  | { kind: 'log'; level: 'debug' | 'info' | 'warn' | 'error'; fields: Record<string, unknown>; event: string }
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'done'; result: EmbedIndexFileResult }
  | { kind: 'elsewhere' }
  | { kind: 'failed'; message: string }

/** Main function of an embedding thread: takes its input, creates the vectors, reports the outcome. */
export async function runEmbedThread(): Promise<void> {
  const input = workerData as EmbedIndexInput // Written by `runEmbedWorker`.
  const send = (message: EmbedThreadMessage) => parentPort?.postMessage(message)
  send(await embedIndex(input, send).catch(describeFailure))
}

async function embedIndex(
  { indexFile, cacheFile, settings }: EmbedIndexInput,
  send: (message: EmbedThreadMessage) => void,
): Promise<EmbedThreadMessage> {
  const model = await openEmbeddingModel(settings)
  if (model === null) throw new Error('No embedding model is configured. Set DOCENT_EMBEDDING_MODEL.')
  const deps = { clock: systemClock, sleep: keepAwake, random: Math.random, log: createThreadLog(send) }
  const { signal } = new AbortController()
  const result = await embedIndexFile({
    indexFile,
    cacheFile,
    embedder: {
      model: nameModel(model),
      embed: (kind, texts, onEmbedded) => embedPassages(deps, { model, kind, texts, signal, onEmbedded }),
    },
    onProgress: (done, total) => send({ kind: 'progress', done, total }),
  })
  return { kind: 'done', result }
}

/** A pending sleep alone does not keep a thread alive, and nothing else runs while waiting for a provider. */
async function keepAwake(ms: number, signal: AbortSignal): Promise<void> {
  const awake = setInterval(() => undefined, ms)
  await sleep(ms, signal).finally(() => clearInterval(awake))
}

function describeFailure(error: unknown): EmbedThreadMessage {
  if (error instanceof VectorCacheInUseError) return { kind: 'elsewhere' }
  return { kind: 'failed', message: error instanceof Error ? error.message : String(error) }
}

/** Lines are written by the thread that owns the log. */
function createThreadLog(send: (message: EmbedThreadMessage) => void): Log {
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error') => (fields: Readonly<Record<string, unknown>>, event: string) =>
      send({ kind: 'log', level, fields, event })
  const log: Log = {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: () => log,
  }
  return log
}

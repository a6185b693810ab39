import { dayMs } from '../../base/durations.ts'
import { Worker } from 'node:worker_threads'
import type { EmbedIndexFileResult } from '../../search/vectors/embed-index-file.ts'
import type { Log } from '../../telemetry/log.ts'
import type { EmbedIndexInput, EmbedThreadMessage } from './embed-index-thread.ts'

/** For texts without a vector; the vectors themselves are outside this heap. */
const memoryMbMax = 1_024
/** A large site with a slow provider takes hours; finished work is cached. */
const runMsMax = dayMs

export interface RunEmbedWorkerOptions {
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
export async function runEmbedWorker(
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

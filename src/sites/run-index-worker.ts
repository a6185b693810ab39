import { Worker } from 'node:worker_threads'
import type { IndexSiteInput, IndexSiteResult } from './index-site.ts'
import type { IndexWorkerReply } from './index-site-worker.ts'

/** Bounds of one indexing run: a hostile or broken source costs a failed run, never the process. */
const memoryMbMax = 2_048
const timeMsMax = 15 * 60_000

/**
 * Runs `indexSite` in a thread of its own, with bounded memory and time.
 *
 * @throws {Error} with a sentence, when the site cannot be indexed, the bounds are passed, or `signal` aborts.
 */
export async function runIndexWorker(input: IndexSiteInput, signal: AbortSignal): Promise<IndexSiteResult> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeMsMax)])
  limit.throwIfAborted()
  // The same code runs as TypeScript from a checkout and as JavaScript from a package.
  const entry = new URL(
    import.meta.url.endsWith('.ts') ? './index-site-worker.ts' : './index-site-worker.js',
    import.meta.url,
  )
  const worker = new Worker(entry, { workerData: input, resourceLimits: { maxOldGenerationSizeMb: memoryMbMax } })
  try {
    return await readReply(worker, limit)
  } finally {
    await worker.terminate()
  }
}

function readReply(worker: Worker, signal: AbortSignal): Promise<IndexSiteResult> {
  return new Promise((resolve, reject) => {
    worker.once('message', (reply: IndexWorkerReply) => {
      if (reply.ok) resolve(reply.result)
      else reject(new Error(reply.message))
    })
    worker.once('error', (error) => reject(new Error(`Indexing the site failed: ${error.message}`, { cause: error })))
    worker.once('exit', () => reject(new Error('Indexing the site ended without a result. Try again.')))
    signal.addEventListener(
      'abort',
      () => reject(new Error('Indexing the site was stopped: it took too long, or the process is stopping.')),
      { once: true },
    )
  })
}

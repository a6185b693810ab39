import { Worker } from 'node:worker_threads'
import { defaultCrawlLimits } from '../../crawl/crawl-limits.ts'
import type { CrawlFiles } from '../../crawl/crawl-snapshot.ts'

export interface CrawlThreadInput {
  url: string
  /** Paths of the new crawl and of the previous one. */
  files: CrawlFiles
  allowsPrivateAddresses: boolean
}

/** Messages of the thread: any number of progress reports, then the outcome. */
export type CrawlThreadMessage =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'done' }
  | { kind: 'failed'; message: string }

export interface RunCrawlWorkerOptions {
  signal: AbortSignal
  /** Called after each page with the number of pages done and known. */
  onProgress(done: number, total: number): void
}

/** The replies of a whole site are kept compressed in memory, along with its pages. */
const memoryMbMax = 2_048

/** The crawl stops within its own limit; after this extra time it must be hanging elsewhere. */
const runMsMax = defaultCrawlLimits.timeMs + 5 * 60_000

/**
 * Crawls a site in a separate thread, with bounded memory and time, and stores its pages on disk.
 *
 * @throws {Error} with a message, when nothing could be fetched, a bound is exceeded, or `signal` aborts. The previous
 *   crawl is kept then.
 */
export async function runCrawlWorker(input: CrawlThreadInput, options: RunCrawlWorkerOptions): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(runMsMax)])
  signal.throwIfAborted()
  const entry = new URL('./crawl-site-worker.ts', import.meta.url)
  const worker = new Worker(entry, { workerData: input, resourceLimits: { maxOldGenerationSizeMb: memoryMbMax } })
  try {
    await readEnd(worker, { ...options, signal })
  } finally {
    await worker.terminate()
  }
}

function readEnd(worker: Worker, { signal, onProgress }: RunCrawlWorkerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: CrawlThreadMessage) => {
      if (message.kind === 'progress') onProgress(message.done, message.total)
      else if (message.kind === 'done') resolve()
      else reject(new Error(message.message))
    })
    worker.once('error', (error) => reject(new Error(`Crawling failed: ${error.message}`, { cause: error })))
    worker.once('exit', () => reject(new Error('Crawling ended without a result. Try again.')))
    const stop = () => reject(new Error('Crawling was stopped: it took too long, or the process is shutting down.'))
    signal.addEventListener('abort', stop, { once: true })
  })
}

import { Worker } from 'node:worker_threads'
import { defaultCrawlLimits } from '../../crawl/crawl-limits.ts'
import type { CrawlFiles } from '../../crawl/crawl-snapshot.ts'

export interface CrawlThreadInput {
  url: string
  /** Where the crawl is kept, and where the one before is. */
  files: CrawlFiles
  allowsPrivateAddresses: boolean
}

/** What the thread says: any number of times how far it is, then how it ended. */
export type CrawlThreadMessage =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'done' }
  | { kind: 'failed'; message: string }

export interface RunCrawlWorkerOptions {
  signal: AbortSignal
  /** Called after each page with the number of pages that are done and that are known. */
  onProgress(done: number, total: number): void
}

/** Replies of a whole site are held, packed, and its pages beside them. */
const memoryMbMax = 2_048

/** The crawl ends by itself within its own limit; this much later it hangs in something else. */
const runMsMax = defaultCrawlLimits.timeMs + 5 * 60_000

/**
 * Crawls a site in a thread of its own, with bounded memory and time, and keeps its pages on the disk.
 *
 * @throws {Error} with a sentence, when nothing could be fetched, the bounds are passed, or `signal` aborts. The crawl
 *   before is still there then.
 */
export async function runCrawlWorker(input: CrawlThreadInput, options: RunCrawlWorkerOptions): Promise<void> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(runMsMax)])
  signal.throwIfAborted()
  // The same code runs as TypeScript from a checkout and as JavaScript from a package.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const entry = new URL(`./crawl-site-worker.${extension}`, import.meta.url)
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
    worker.once('error', (error) => reject(new Error(`Crawling the site failed: ${error.message}`, { cause: error })))
    worker.once('exit', () => reject(new Error('Crawling the site ended without a result. Try again.')))
    const stop = () => reject(new Error('Crawling the site was stopped: it took too long, or the process is stopping.'))
    signal.addEventListener('abort', stop, { once: true })
  })
}

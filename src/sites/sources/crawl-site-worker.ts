import { parentPort, workerData } from 'node:worker_threads'
import { systemClock } from '../../base/clock.ts'
import { crawlSite } from '../../crawl/crawl-site.ts'
import { readSavedReplies, saveCrawl } from '../../crawl/crawl-snapshot.ts'
import type { CrawlThreadInput, CrawlThreadMessage } from './run-crawl-worker.ts'

// Runs in its own thread, because parsing other people's HTML is CPU-bound and may take unbounded memory. The parent
// terminates it.

const { url, files, allowsPrivateAddresses } = workerData as CrawlThreadInput // Written by `runCrawlWorker`.
const send = (message: CrawlThreadMessage) => parentPort?.postMessage(message)

try {
  const result = await crawlSite({
    url,
    allowsPrivateAddresses,
    clock: systemClock,
    signal: new AbortController().signal,
    kept: readSavedReplies(files.replies),
    onProgress: (done, total) => send({ kind: 'progress', done, total }),
  })
  const reason = result.findings.find(({ rule }) => rule === 'page-not-fetched' || rule === 'page-kept')?.message
  if (result.hasAnswer) await saveCrawl(files, result)
  send(
    result.hasAnswer
      ? { kind: 'done' }
      : { kind: 'failed', message: `Nothing of ${url} could be fetched. ${reason ?? 'Check the address.'}` },
  )
} catch (error) {
  send({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
}

import { parentPort, workerData } from 'node:worker_threads'
import type { IndexRunProgress } from '../store/index-runs.ts'
import { indexSite, type IndexSiteDeps, type IndexSiteInput, type IndexSiteResult } from './index-site.ts'

/** What the thread says: any number of times how far it is, then how it ended. */
export type IndexThreadMessage =
  | { kind: 'opened'; revision: string }
  | { kind: 'progress'; progress: IndexRunProgress }
  /** The parsing of a page begins, and has ended: in between the thread answers nobody. */
  | { kind: 'page-started'; page: { key: string; file: string } }
  | { kind: 'page-ended' }
  | { kind: 'done'; result: IndexSiteResult }
  | { kind: 'failed'; message: string }

/** The life of an indexing thread: takes its input, indexes, says how it ended. */
export async function runIndexThread(deps: IndexSiteDeps = {}): Promise<void> {
  const send = (message: IndexThreadMessage) => parentPort?.postMessage(message)
  const input = workerData as IndexSiteInput // Written by `runIndexWorker`, beside this file.
  const options = {
    signal: new AbortController().signal,
    onRevision: (revision: string) => send({ kind: 'opened', revision }),
    onProgress: (progress: IndexRunProgress) => send({ kind: 'progress', progress }),
    onPageStarted: (page: { key: string; file: string }) => send({ kind: 'page-started', page }),
    onPageEnded: () => send({ kind: 'page-ended' }),
  }
  const ended: IndexThreadMessage = await indexSite(input, options, deps).then(
    (result) => ({ kind: 'done', result }),
    (error: unknown) => ({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  )
  send(ended)
}

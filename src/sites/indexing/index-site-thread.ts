import { parentPort } from 'node:worker_threads'
import { isDiskFull } from '../../store/database-error.ts'
import type { IndexRunProgress } from '../../store/sites/index-runs.ts'
import { indexSite, type IndexSiteDeps, type IndexSiteInput, type IndexSiteResult } from './index-site.ts'

/** Messages of the thread: any number of progress reports, then the outcome. */
export type IndexThreadMessage =
  | { kind: 'opened'; revision: string }
  | { kind: 'progress'; progress: IndexRunProgress }
  /** Sent before and after parsing a page; the thread is unresponsive in between. */
  | { kind: 'page-started'; page: { key: string; file: string } }
  | { kind: 'page-ended' }
  | { kind: 'done'; result: IndexSiteResult }
  | { kind: 'failed'; message: string; isDiskFull: boolean }

/** Main function of an indexing thread: takes an input, indexes, reports the outcome, waits for the next. */
export function runIndexThread(deps: IndexSiteDeps = {}): void {
  const send = (message: IndexThreadMessage) => parentPort?.postMessage(message)
  const options = {
    signal: new AbortController().signal,
    onRevision: (revision: string) => send({ kind: 'opened', revision }),
    onProgress: (progress: IndexRunProgress) => send({ kind: 'progress', progress }),
    onPageStarted: (page: { key: string; file: string }) => send({ kind: 'page-started', page }),
    onPageEnded: () => send({ kind: 'page-ended' }),
  }
  // Sent by `IndexThreads`, one input at a time.
  parentPort?.on('message', (input: IndexSiteInput) => {
    void indexSite(input, options, deps).then(
      (result) => send({ kind: 'done', result }),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        send({ kind: 'failed', message, isDiskFull: isDiskFull(error) })
      },
    )
  })
}

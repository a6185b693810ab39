import { parentPort } from 'node:worker_threads'
import { isDiskFull } from '../../store/database-error.ts'
import type { IndexRunProgress } from '../../store/sites/index-runs.ts'
import { indexSite, type IndexSiteDeps, type IndexSiteInput, type IndexSiteResult } from './index-site.ts'

/** What the thread says: any number of times how far it is, then how it ended. */
export type IndexThreadMessage =
  | { kind: 'opened'; revision: string }
  | { kind: 'progress'; progress: IndexRunProgress }
  /** The parsing of a page begins, and has ended: in between the thread answers nobody. */
  | { kind: 'page-started'; page: { key: string; file: string } }
  | { kind: 'page-ended' }
  | { kind: 'done'; result: IndexSiteResult }
  | { kind: 'failed'; message: string; isDiskFull: boolean }

/** The life of an indexing thread: takes an input, indexes, says how it ended, and waits for the next. */
export function runIndexThread(deps: IndexSiteDeps = {}): void {
  const send = (message: IndexThreadMessage) => parentPort?.postMessage(message)
  const options = {
    signal: new AbortController().signal,
    onRevision: (revision: string) => send({ kind: 'opened', revision }),
    onProgress: (progress: IndexRunProgress) => send({ kind: 'progress', progress }),
    onPageStarted: (page: { key: string; file: string }) => send({ kind: 'page-started', page }),
    onPageEnded: () => send({ kind: 'page-ended' }),
  }
  // Written by `IndexThreads`, which gives the next input when this one has ended.
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

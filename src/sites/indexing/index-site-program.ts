import { flushCompileCache } from 'node:module'
import { serveParent } from '../../git/spawner/start-program.ts'
import { isDiskFull } from '../../store/database-error.ts'
import type { IndexRunProgress } from '../../store/sites/index-runs.ts'
import { indexSite, type IndexSiteDeps, type IndexSiteInput, type IndexSiteResult } from './index-site.ts'

/** Messages of the program: any number of progress reports, then the outcome. */
export type IndexMessage =
  | { kind: 'opened'; revision: string }
  | { kind: 'progress'; progress: IndexRunProgress }
  /** Sent before and after parsing a page; the program is unresponsive in between. */
  | { kind: 'page-started'; page: { key: string; file: string } }
  | { kind: 'page-ended' }
  | { kind: 'done'; result: IndexSiteResult }
  | { kind: 'failed'; message: string; isDiskFull: boolean }

/** Main function of an indexing process: takes an input, indexes, reports the outcome, waits for the next. */
export function runIndexProgram(deps: IndexSiteDeps = {}): void {
  const send: (message: IndexMessage) => void = serveParent((input: IndexSiteInput) => {
    const options = {
      signal: new AbortController().signal,
      onRevision: (revision: string) => send({ kind: 'opened', revision }),
      onProgress: limitProgress((progress) => send({ kind: 'progress', progress })),
      onPageStarted: (page: { key: string; file: string }) => send({ kind: 'page-started', page }),
      onPageEnded: () => send({ kind: 'page-ended' }),
    }
    // Sent by `IndexProcesses`, one input at a time.
    const run = indexSite(input, options, deps).then(
      (result) => send({ kind: 'done', result }),
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        send({ kind: 'failed', message, isDiskFull: isDiskFull(error) })
      },
    )
    // Node keeps compiled code when a process exits, which this one never does: it is killed.
    void run.finally(() => flushCompileCache())
  })
}

const progressMs = 50

/** Known pages pass faster than progress could be reported. The first and the last of each step are always reported. */
function limitProgress(report: (progress: IndexRunProgress) => void): (progress: IndexRunProgress) => void {
  let step: IndexRunProgress['step'] | null = null
  let nextAt = 0
  return (progress) => {
    const now = performance.now()
    if (progress.step === step && now < nextAt && progress.pagesDone < progress.pagesTotal) return
    step = progress.step
    nextAt = now + progressMs
    report(progress)
  }
}

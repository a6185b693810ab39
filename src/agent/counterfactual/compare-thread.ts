import { WorkThread } from '../../base/work-thread.ts'
import type { SiteComparison } from '../../contract/counterfactual.ts'

export interface CompareRequest {
  /** Has both commits. */
  gitDirectory: string
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
  baseCommit: string
  headCommit: string
  siteUrl: string | null
  /** Asked besides the questions of the suite. */
  readerQuestions: readonly string[]
}

/** A site of 50,000 pages fits in neither. */
const memoryMbMax = 2_048
const msMax = 15 * 60_000
/** A read site is large, and pull requests are seldom. */
const idleMsMax = 30_000

/** Compares commits in a thread, because reading a site takes seconds of processor time. */
export class CompareThread {
  readonly #thread: WorkThread<CompareRequest, SiteComparison>

  constructor() {
    const entry = new URL('./compare-worker.ts', import.meta.url)
    this.#thread = new WorkThread({ entry, what: 'The comparison', memoryMbMax, msMax, idleMsMax })
  }

  /** @throws as `WorkThread.run` does. */
  compare(request: CompareRequest, signal: AbortSignal): Promise<SiteComparison> {
    return this.#thread.run(request, signal)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

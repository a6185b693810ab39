import { WorkThread } from '../../base/work-thread.ts'
import type { ReachedSite } from './compare-sites.ts'
import type { IndexedSite } from './compare-trees.ts'

export interface CompareRequest {
  /** Has both commits. */
  gitDirectory: string
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
  baseCommit: string
  headCommit: string
  siteUrl: string | null
  /** Gets the indexes of both commits; the caller removes it. */
  workFolder: string
  indexed: IndexedSite
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
  readonly #thread: WorkThread<CompareRequest, ReachedSite>

  constructor() {
    const entry = new URL('./compare-worker.ts', import.meta.url)
    this.#thread = new WorkThread({ entry, what: 'The comparison', memoryMbMax, msMax, idleMsMax })
  }

  /** @throws as `WorkThread.run` does. */
  compare(request: CompareRequest, signal: AbortSignal): Promise<ReachedSite> {
    return this.#thread.run(request, signal)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

import { WorkThread } from '../../base/work-thread.ts'
import type { DescribedDrift } from '../../drift/describe-drift.ts'
import type { CommitLocation } from '../../sites/drift/commit-files.ts'
import type { SiteSource } from '../../store/sites/sites.ts'

/** A product at a commit. */
export interface ProductCommit extends CommitLocation {
  /** Name of the context repository. */
  name: string
  /** Where changes are followed from, for a file that does not know the product yet. */
  origin: string
  /** Forgets what the file knows of it, because it was another repository. */
  isReplaced: boolean
}

export interface DriftRequest {
  /** The site's file of facts. */
  file: string
  products: readonly ProductCommit[]
  /** On this machine. */
  pages: SiteSource
  /** Compares only these two commits instead, of which the file keeps nothing. */
  change: { name: string; from: CommitLocation; to: CommitLocation; pages: SiteSource | null } | null
}

/** The facts lie in a file. */
export const driftMemoryMbMax = 128
const msMax = 15 * 60_000
const idleMsMax = 10_000

/** Compares products with pages in a thread, because reading a repository takes seconds of processor time. */
export class DriftThread {
  readonly #thread: WorkThread<DriftRequest, DescribedDrift[]>

  constructor() {
    const entry = new URL('./find-drift-worker.ts', import.meta.url)
    this.#thread = new WorkThread({
      entry,
      what: 'The check for drift',
      memoryMbMax: driftMemoryMbMax,
      msMax,
      idleMsMax,
    })
  }

  /** @throws as `WorkThread.run` does. */
  find(request: DriftRequest, signal: AbortSignal): Promise<DescribedDrift[]> {
    return this.#thread.run(request, signal)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}

import { type IndexRunProgress, reportIndexRun } from '../../store/sites/index-runs.ts'
import type { Claim } from '../../store/queue.ts'
import type { StoreDeps } from '../../store/store-deps.ts'

/** Shortest time between two reports of the same step: people read no faster, and each one is a write. */
const intervalMs = 250

/**
 * Creates a function that records the progress of a run, at most four times a second. Failed writes are ignored: the
 * run continues.
 */
export function createProgressReporter(
  { store, clock }: StoreDeps,
  { id, attempt }: Claim,
): (progress: IndexRunProgress) => void {
  let step: IndexRunProgress['step'] | null = null
  let nextAt = 0
  return (progress) => {
    const now = clock.now()
    if (progress.step === step && now < nextAt) return
    step = progress.step
    nextAt = now + intervalMs
    reportIndexRun(store.relaxed, { id, attempt, progress }).catch(() => {})
  }
}

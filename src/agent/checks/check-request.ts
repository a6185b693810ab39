import type { SavedOverlay } from '../../git/overlay.ts'

/** A message to the check thread. */
export interface CheckRequest {
  gitDirectory: string
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
  /** The commit to compare the change with. */
  baseCommit: string
  /** The commit below the overlay. */
  headCommit: string
  overlay: SavedOverlay
  /** Report every problem, including those of the base. */
  isWhole: boolean
}

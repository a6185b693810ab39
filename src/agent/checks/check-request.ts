import type { SavedOverlay } from '../../git/overlay.ts'

/** What the thread of the checks is asked to look at. */
export interface CheckRequest {
  gitDirectory: string
  /** Where the site lies in the repository; empty for its root. */
  subdirectory: string
  /** The commit that the change is compared with. */
  baseCommit: string
  /** The commit that the overlay lies over. */
  headCommit: string
  overlay: SavedOverlay
  /** Every problem, also those that the base has. */
  isWhole: boolean
}

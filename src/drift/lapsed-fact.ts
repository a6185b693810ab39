import type { Fact } from './fact.ts'

/** A fact that the product no longer has, with the change that took it: a tombstone for pages written later as well. */
export interface LapsedFact extends Fact {
  repository: string
  /** Where it was defined last. */
  path: string
  /** The last commit with it, and the first without it. */
  base: string
  revision: string
  /** The new name or value; empty if unknown. */
  successor: string
  /** Whether every line with the old name has become one with the new name. */
  isRenamed: boolean
  /** Where the successor is defined; empty without one. */
  newPath: string
  newLine: number
  /** Package that left the repository as a whole; empty for other facts. */
  package: string
}

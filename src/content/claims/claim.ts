import type { ClaimKey } from './claim-key.ts'
import type { ClaimValue } from './claim-value.ts'

/** What a claim says about its subject. */
export type ClaimAttribute = 'default' | 'maximum' | 'minimum' | 'requires'

/** An unconditional statement about an option, not limited to a version. */
export interface Claim {
  key: ClaimKey
  attribute: ClaimAttribute
  value: ClaimValue
  /** Whether it is in a table, list or series of headings, and whether that describes several options. */
  form: 'reference' | 'entry' | 'prose'
  /** Words that describe the option, in lower case. */
  description: readonly string[]
  /** The sentence or row, as the page shows it. */
  text: string
  /** Position of its block in the page: see `splitBlocks`. */
  block: number
}

/** An address that leads to another. Sources may be patterns, see `matchPathPatterns`. */
export interface Redirect {
  source: string
  destination: string
  /** Whether the host serves the destination under the source's address. */
  isRewrite?: true
}

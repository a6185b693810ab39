/** A page that does not parse. The message addresses the page's author. */
export class MarkdownSyntaxError extends Error {
  override readonly name = 'MarkdownSyntaxError'
  /** 1-based line of the parsed text, or null if unknown. */
  readonly line: number | null

  constructor(message: string, line: number | null, cause?: unknown) {
    super(message, { cause })
    this.line = line
  }
}

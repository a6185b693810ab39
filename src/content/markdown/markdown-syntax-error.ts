/** A page that does not parse: the sentence is for the page's author. */
export class MarkdownSyntaxError extends Error {
  override readonly name = 'MarkdownSyntaxError'
  /** 1-based line of the text that was parsed, or null where the parser gives none. */
  readonly line: number | null

  constructor(message: string, line: number | null, cause?: unknown) {
    super(message, { cause })
    this.line = line
  }
}

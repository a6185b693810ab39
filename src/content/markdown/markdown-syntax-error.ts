/** A page that does not parse. The message addresses the page's author. */
export class MarkdownSyntaxError extends Error {
  override readonly name = 'MarkdownSyntaxError'
  /** 1-based line of the parsed text, or null if unknown. */
  readonly line: number | null
  /** Offset in the parsed text, and the parser extension that found the fault; null if unknown. */
  readonly place: { offset: number; parser: string } | null

  constructor(
    message: string,
    line: number | null,
    options: { cause?: unknown; place?: MarkdownSyntaxError['place'] } = {},
  ) {
    super(message, { cause: options.cause })
    this.line = line
    this.place = options.place ?? null
  }
}

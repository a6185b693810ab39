/** How a chat platform writes formatted text. Every function escapes what it is given. */
export interface ChatDialect {
  /** So that no text is read as a mention, link or formatting. */
  escape(text: string): string
  /** @param text Already in the dialect. */
  bold(text: string): string
  /** @param text Already in the dialect. */
  italic(text: string): string
  code(text: string): string
  /** A line of a code block, which is enclosed in lines of three backticks. */
  codeLine(text: string): string
  /**
   * Must contain no ordinary space or line break, so that it is never split.
   *
   * @param label In plain text. @param url Absolute, http or https.
   */
  link(label: string, url: string): string
}

const noBreakSpace = '\u00a0'
const zeroWidthSpace = '\u200b'

/** Keeps a label in one piece. */
export function bindSpaces(text: string): string {
  return text.replace(/\s+/g, noBreakSpace)
}

/** So that no backtick ends the code early. */
export function replaceBackticks(text: string): string {
  return text.replaceAll('`', 'ˋ')
}

/** So that a line of code cannot end its block. */
export function breakFences(text: string): string {
  return text.replaceAll('```', `\`${zeroWidthSpace}\`${zeroWidthSpace}\``)
}

/** Keeps words that notify everyone from doing so, wherever the platform looks for them. */
export function breakMentions(text: string): string {
  return text.replace(/@(?=everyone|here|channel)/gi, `@${zeroWidthSpace}`)
}

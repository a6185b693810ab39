/** The source of a pattern that matches the text, with any flags. Not for character classes. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

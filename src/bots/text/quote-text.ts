const charsMax = 500

/** Escapes text for Markdown. */
export function escapeChatText(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&')
}

/** Quotes a person's text in Markdown, cut and without any formatting of its own. */
export function quoteText(text: string): string {
  const cut = text.length > charsMax ? `${text.slice(0, charsMax).toWellFormed()}…` : text
  return escapeChatText(cut)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

const charsMax = 500

/** Quotes a person's text in Markdown, cut and without any formatting of its own. */
export function quoteText(text: string): string {
  const cut = text.length > charsMax ? `${text.slice(0, charsMax).toWellFormed()}…` : text
  const plain = cut.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  return plain
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

interface Link {
  url: string
  title: string
}

/** A link and its place in the whole text: UTF-16 code units, end exclusive. */
export interface LinkSpan extends Link {
  start: number
  end: number
}

const separator = '\n\nSources:\n\n'

/**
 * A numbered Markdown list of links, to follow a text.
 *
 * @param links Absolute URLs, with titles that may contain anything.
 * @param offset Length of the text before the list.
 * @returns Empty without links.
 */
export function writeLinkList<Each extends Link>(
  links: readonly Each[],
  offset: number,
): { text: string; spans: (Each & LinkSpan)[] } {
  if (links.length === 0) return { text: '', spans: [] }
  let text = separator
  const spans = links.map((link, index) => {
    const { url, title } = link
    text += `${index === 0 ? '' : '\n'}${index + 1}. `
    const start = offset + text.length
    text += `[${escapeTitle(title)}](${url.replace(/[()]/g, encodeParenthesis)})`
    return { ...link, start, end: offset + text.length }
  })
  return { text, spans }
}

/** Removes the list from an earlier answer: a model that reads one would write its own. */
export function withoutLinkList(text: string): string {
  const start = text.lastIndexOf(`${separator}1. [`)
  return start < 0 ? text : text.slice(0, start)
}

function escapeTitle(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>]/g, String.raw`\$&`)
}

function encodeParenthesis(mark: string): string {
  return mark === '(' ? '%28' : '%29'
}

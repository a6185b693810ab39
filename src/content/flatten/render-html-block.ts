import { decodeEntities, stripTags } from '../markdown/strip-tags.ts'

export interface HtmlWriters {
  /** Writes a link with a root-relative address, or only its text if the link is disallowed. */
  link: (url: string, text: string) => string
  image: (url: string, alternative: string) => string
}

const link = /<a\b([^<>]{0,2000})>([^<>]{0,2000})<\/a\s*>/gi
const heading = /<h([1-6])\b([^<>]{0,2000})>([\s\S]{0,2000}?)<\/h\1\s*>/gi
const addressOf = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i
const idOf = /\bid\s*=\s*["']([^"'\s{}]{1,200})["']/i

/**
 * Converts an HTML block to Markdown: keeps headings, links and list items, and only the text of everything else.
 * Dedents lines, which would become code otherwise.
 */
export function renderHtmlBlock(html: string, write: HtmlWriters): string {
  // Whitespace is significant in `pre`.
  if (/<pre\b/i.test(html)) return decodeEntities(stripTags(html, write.image)).trim()
  const marked = html
    .replace(link, (written, attributes: string, text: string) => {
      const [, double, single] = addressOf.exec(attributes) ?? []
      const url = double ?? single
      return url === undefined ? written : write.link(decodeEntities(url), toLine(text))
    })
    .replace(heading, (_written, depth: string, attributes: string, inner: string) => {
      const id = idOf.exec(attributes)?.[1]
      const text = toLine(stripTags(inner))
      return text === '' ? '' : `\n\n${'#'.repeat(Number(depth))} ${text}${id === undefined ? '' : ` {#${id}}`}\n\n`
    })
    .replace(/<li\b[^<>]{0,2000}>\s*/gi, '\n- ')
  return decodeEntities(stripTags(marked, write.image))
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function toLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

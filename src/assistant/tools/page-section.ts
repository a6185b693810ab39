import { createFenceTracker } from '../../content/markdown/code-fence.ts'
import { isHeading, readHeading } from '../../content/markdown/markdown-blocks.ts'

export interface PageHeading {
  level: number
  text: string
  /** The explicit id; null if it follows from the text. */
  id: string | null
  /** Line of the heading, from 0. */
  line: number
}

/** The headings of a page, in order, ignoring fenced code. */
export function listHeadings(markdown: string): PageHeading[] {
  const isCode = createFenceTracker()
  return markdown.split('\n').flatMap((text, line) => {
    if (isCode(text) || !isHeading(text)) return []
    return [{ level: /#+/.exec(text)?.[0].length ?? 1, ...readHeading(text), line }]
  })
}

/**
 * The section of a page under a heading, with its subsections.
 *
 * @param name The heading's text, or the anchor derived from it, in any case.
 * @returns Null if the page has no such heading.
 */
export function findSection(markdown: string, name: string): string | null {
  const headings = listHeadings(markdown)
  const wanted = simplify(name)
  const index = headings.findIndex(({ text, id }) => simplify(text) === wanted || id === name.replace(/^#/, ''))
  const heading = headings[index]
  if (heading === undefined || wanted === '') return null
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level)
  return markdown.split('\n').slice(heading.line, next?.line).join('\n').trim()
}

/** Equal for a heading, its text without markup, and its anchor. */
function simplify(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

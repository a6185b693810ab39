const headingLine = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/
const fenceLine = /^\s*(`{3,}|~{3,})/

export interface PageHeading {
  level: number
  text: string
  /** Line of the heading, from 0. */
  line: number
}

/** The headings of a page, in order, ignoring fenced code. */
export function listHeadings(markdown: string): PageHeading[] {
  const headings: PageHeading[] = []
  let fence = ''
  for (const [line, text] of markdown.split('\n').entries()) {
    const marker = fenceLine.exec(text)?.[1]
    if (fence !== '') {
      if (marker?.startsWith(fence)) fence = ''
    } else if (marker !== undefined) fence = marker
    else {
      const found = headingLine.exec(text)
      if (found !== null) headings.push({ level: found[1]?.length ?? 1, text: found[2] ?? '', line })
    }
  }
  return headings
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
  const index = headings.findIndex(({ text }) => simplify(text) === wanted)
  const heading = headings[index]
  if (heading === undefined || wanted === '') return null
  const next = headings.slice(index + 1).find(({ level }) => level <= heading.level)
  return markdown.split('\n').slice(heading.line, next?.line).join('\n').trim()
}

/** Equal for a heading, its text without markup, and its anchor. */
function simplify(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

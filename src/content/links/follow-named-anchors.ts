import { createFenceTracker } from '../markdown/code-fence.ts'
import { anchorOf } from '../markdown/heading-anchors.ts'
import { mapRootLinks } from '../markdown/map-root-links.ts'
import { isHeading, readHeading } from '../markdown/markdown-blocks.ts'
import type { SitePage } from '../site-page.ts'

/** By page address: names that its source gives to places → the heading there, empty for the top of the page. */
type NamedAnchors = ReadonlyMap<string, ReadonlyMap<string, string>>

const named = /<(?:a|span|div)\s(?:[^<>]{0,200}?\s)?(?:id|name)\s*=\s*["']([^"'\s<>]{1,200})["'][^<>]{0,200}>/g
const tag = /<[^<>]{0,500}>/g

/**
 * Lets links to `<a name="x">` lead to the heading after it, or else to the one above it. Pages are Markdown when they are
 * read, so that only headings have ids, here as on the site.
 *
 * @param bodyOf The source of a page after its frontmatter, if known.
 */
export function followNamedAnchors(
  pages: readonly SitePage[],
  bodyOf: (page: SitePage) => string | undefined,
): readonly SitePage[] {
  const anchors = new Map<string, ReadonlyMap<string, string>>()
  for (const page of pages) {
    const body = bodyOf(page) ?? ''
    const found = body.includes('<') && body.search(named) !== -1 ? readNamedAnchors(page.markdown, body) : null
    if (found !== null && found.size > 0) anchors.set(page.path, found)
  }
  if (anchors.size === 0) return pages
  return pages.map((page) => {
    const markdown = mapRootLinks(page.markdown, (target) => follow(target, anchors))
    return markdown === page.markdown ? page : { ...page, markdown }
  })
}

function follow(target: string, anchors: NamedAnchors): string {
  const [, before = '', path = '', name = ''] = /^(([^?#]*)[^#]*)#(.+)$/s.exec(target) ?? []
  const heading = anchors.get(path)?.get(name)
  if (heading === undefined) return target
  return heading === '' ? before : `${before}#${heading}`
}

function readNamedAnchors(markdown: string, body: string): Map<string, string> {
  const headings = new Map<string, string>()
  for (const line of listLines(markdown)) if (isHeading(line)) headings.set(readHeading(line).text, anchorOf(line))
  const ids = new Set(headings.values())
  const places = new Map<string, string>()
  let waiting: string[] = []
  let last = ''
  const settle = (heading: string) => {
    for (const name of waiting) if (!ids.has(name)) places.set(name, heading)
    waiting = []
  }
  for (const line of listLines(body)) {
    const bare = line.replace(tag, '').trim()
    if (isHeading(bare)) last = headings.get(readHeading(bare).text) ?? ''
    waiting.push(...listNames(line))
    // Names on lines of their own wait for what follows, which may be a heading.
    if (bare !== '') settle(last)
  }
  settle(last)
  return places
}

const listNames = (line: string): string[] => [...line.matchAll(named)].flatMap(([, name]) => name ?? [])

function listLines(text: string): string[] {
  const isCode = createFenceTracker()
  return text.split('\n').filter((line) => !isCode(line))
}

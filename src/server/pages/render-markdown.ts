import type { Element, Root } from 'hast'
import type { Heading, Root as MarkdownRoot } from 'mdast'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { anchorOf, hideHeadingIds } from '../../content/markdown/heading-anchors.ts'

/** Headings keep the ids that answers link to. Otherwise the default schema applies: no script, style or frame. */
const sanitizeSchema = { ...defaultSchema, clobberPrefix: '', clobber: [] }

/**
 * Renders a page's Markdown as HTML that cannot run anything: drops embedded HTML and all URLs except web and mail.
 *
 * Synchronous, and slow on hostile Markdown: call it through `MarkdownRenderer`.
 *
 * @param base Prefix for root-relative links, which are relative to the site's own host; here the site is served under
 *   a path.
 * @param idPrefix Prefix for the ids of headings, if the text is only part of a page that has ids already.
 */
export function renderMarkdown(markdown: string, base: string, idPrefix = ''): string {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(() => (tree: MarkdownRoot) => setHeadingIds(tree, markdown, idPrefix))
    .use(remarkRehype, { clobberPrefix: `${idPrefix}user-content-` })
    .use(rehypeSanitize, sanitizeSchema)
    .use(() => (tree: Root) => adaptElements(tree, base))
    .use(rehypeStringify)
    .processSync(markdown)
    .toString()
}

/** Gives headings the ids that answers link to. */
function setHeadingIds(tree: MarkdownRoot, markdown: string, idPrefix: string): void {
  const uses = new Map<string, number>()
  visit(tree, 'heading', (heading: Heading) => {
    const { start, end } = heading.position ?? {}
    const anchor = anchorOf(markdown.slice(start?.offset, end?.offset))
    const count = uses.get(anchor) ?? 0
    uses.set(anchor, count + 1)
    if (anchor !== '') heading.data = { hProperties: { id: `${idPrefix}${anchor}${count === 0 ? '' : `-${count}`}` } }
    const last = heading.children.at(-1)
    if (last?.type === 'text') last.value = hideHeadingIds(`# ${last.value}`).slice(2)
  })
}

function adaptElements(tree: Root, base: string): void {
  visit(tree, 'element', (element: Element) => {
    const { tagName, properties } = element
    if (tagName === 'a' && isRootRelative(properties['href'])) properties['href'] = base + properties['href']
    // Both scroll sideways, and scrollable areas must be reachable by keyboard.
    if (tagName === 'pre' || tagName === 'table') properties['tabIndex'] = 0
  })
}

function isRootRelative(href: unknown): href is string {
  return typeof href === 'string' && /^\/(?!\/)/.test(href)
}

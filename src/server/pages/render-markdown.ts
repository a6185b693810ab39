import type { Element, Root } from 'hast'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'

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
    .use(remarkRehype, { clobberPrefix: `${idPrefix}user-content-` })
    .use(rehypeSlug, { prefix: idPrefix })
    .use(rehypeSanitize, sanitizeSchema)
    .use(() => (tree: Root) => adaptElements(tree, base))
    .use(rehypeStringify)
    .processSync(markdown)
    .toString()
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

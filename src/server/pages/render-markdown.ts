import type { Element, Root } from 'hast'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeSlug from 'rehype-slug'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'

/** Headings keep the ids that answers link to. Everything else of the default schema stands: no script, style or frame. */
const sanitizeSchema = { ...defaultSchema, clobberPrefix: '', clobber: [] }

/**
 * Markdown of a page as HTML that runs nothing: HTML within the Markdown is left out, and so is every address but
 * those of the web and of mail.
 *
 * Blocks for as long as it takes, and hostile Markdown makes that long: call it through `MarkdownRenderer`.
 *
 * @param base Put before root-relative links, which are meant for the site's own host; here the site lies under a path.
 * @param idPrefix Put before the ids of headings, where the text is only a part of a page that has ids of its own.
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
    // Both scroll sideways, and what scrolls must be within reach of the keyboard.
    if (tagName === 'pre' || tagName === 'table') properties['tabIndex'] = 0
  })
}

function isRootRelative(href: unknown): href is string {
  return typeof href === 'string' && /^\/(?!\/)/.test(href)
}

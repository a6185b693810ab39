import type { Element, Root } from 'hast'
import { toString } from 'hast-util-to-string'
import type { Code, Heading, Root as MarkdownRoot } from 'mdast'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { visit } from 'unist-util-visit'
import { anchorOf, hideHeadingIds } from '../../../content/markdown/heading-anchors.ts'
import { showCodeBlocks } from './code-blocks.ts'
import { showComponents } from './components.ts'

/** A heading of a page that links can lead to. */
export interface PageHeading {
  id: string
  text: string
  /** 2 to 6. */
  depth: number
}

export interface RenderedMarkdown {
  /** Safe. */
  html: string
  /** The same, cut at the blocks of the page. */
  blocks: string[]
  headings: PageHeading[]
}

/** The text of a page as it is served. */
export type PageText = Omit<RenderedMarkdown, 'blocks'>

/**
 * Headings keep the ids that answers link to, and code blocks their titles. Otherwise the default schema applies: no
 * script, style or frame.
 */
const sanitizeSchema = {
  ...defaultSchema,
  clobberPrefix: '',
  clobber: [],
  attributes: {
    ...defaultSchema.attributes,
    code: [...(defaultSchema.attributes?.['code'] ?? []), 'dataTitle'],
  },
}

/**
 * Renders a page's Markdown as HTML that cannot run anything: drops embedded HTML and all URLs except web and mail.
 *
 * Synchronous, and slow on hostile Markdown: call it through `MarkdownRenderer`.
 *
 * @param base Prefix for root-relative links, which are relative to the site's own host; here the site is served under
 *   a path.
 * @param idPrefix Prefix for the ids of headings, if the text is only part of a page that has ids already.
 */
export function renderMarkdown(markdown: string, base: string, idPrefix = ''): RenderedMarkdown {
  const headings: PageHeading[] = []
  const blocks: string[] = []
  unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(() => (tree: MarkdownRoot) => {
      setHeadingIds(tree, markdown, idPrefix)
      setCodeTitles(tree)
    })
    .use(remarkRehype, { clobberPrefix: `${idPrefix}user-content-` })
    .use(rehypeSanitize, sanitizeSchema)
    // All that follows adds elements of our own, so nothing of the page can imitate them.
    .use(() => (tree: Root) => {
      adaptElements(tree, base)
      showComponents(tree)
      showCodeBlocks(tree)
      headings.push(...linkHeadings(tree))
      for (const block of tree.children) blocks.push(stringifier.stringify({ type: 'root', children: [block] }))
    })
    .use(rehypeStringify)
    .processSync(markdown)
  return { html: blocks.join(''), blocks, headings }
}

const stringifier = unified().use(rehypeStringify).freeze()

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

/** Formats write titles as `title="a.ts"` or, like Mintlify, as bare words: `a.ts`. */
function setCodeTitles(tree: MarkdownRoot): void {
  visit(tree, 'code', (code: Code) => {
    const meta = code.meta?.trim() ?? ''
    const quoted = /\b(?:title|filename|label|name)=(?:"([^"]*)"|'([^']*)')/.exec(meta)
    const bare = /^[^\s={}[\]"'`]+(?: [^\s={}[\]"'`]+){0,5}/.exec(meta)?.[0]
    const title = quoted?.[1] ?? quoted?.[2] ?? (bare?.startsWith('/') ? undefined : bare)
    if (title) code.data = { hProperties: { dataTitle: title } }
  })
}

function adaptElements(tree: Root, base: string): void {
  visit(tree, 'element', (element: Element) => {
    const { tagName, properties } = element
    if (tagName === 'a' && isRootRelative(properties['href'])) properties['href'] = base + properties['href']
    if (tagName === 'img') properties['loading'] = 'lazy'
    // Both scroll sideways, and scrollable areas must be reachable by keyboard.
    if (tagName === 'pre' || tagName === 'table') properties['tabIndex'] = 0
  })
}

function isRootRelative(href: unknown): href is string {
  return typeof href === 'string' && /^\/(?!\/)/.test(href)
}

/** Ends headings with a link to themselves. Its sign is drawn by the style, so that the text of the page stays as it is. */
function linkHeadings(tree: Root): PageHeading[] {
  const headings: PageHeading[] = []
  visit(tree, 'element', (element: Element) => {
    const depth = Number(/^h([2-6])$/.exec(element.tagName)?.[1])
    const { id } = element.properties
    if (!depth || typeof id !== 'string') return
    headings.push({ id, depth, text: toString(element) })
    // Not for screen readers and keyboards: the table of contents has the same links.
    const properties = { className: ['anchor'], href: `#${encodeURIComponent(id)}`, ariaHidden: 'true', tabIndex: -1 }
    element.children.push({ type: 'element', tagName: 'a', properties, children: [] })
  })
  return headings
}

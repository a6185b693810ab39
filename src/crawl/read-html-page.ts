import type { Element, ElementContent, Nodes, Root } from 'hast'
import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { EXIT, visit } from 'unist-util-visit'
import { parseHtml } from './parse-html.ts'

export interface HtmlPage {
  title: string
  description: string
  language: string | null
  /** The main content, without what surrounds it. */
  markdown: string
  /** Link targets as written. */
  links: string[]
  /** The canonical address that the page declares, or null. */
  canonical: string | null
  /** Whether the page sets `noindex` or `nofollow`. */
  isNoindex: boolean
  isNofollow: boolean
}

const linksMax = 5000
const textCharsMax = 2000

/**
 * Reads an HTML page: its main content as Markdown, without navigation, headers, footers, forms and hidden elements, and
 * the metadata of its head. Scripts are not run.
 *
 * @param resolve Resolves a link to an absolute address within the site; null if it cannot be followed.
 */
export function readHtmlPage(html: string, resolve: (url: string) => string | null): HtmlPage {
  const tree = parseHtml(html)
  const head = readHead(tree)
  const links = collectLinks(tree)
  const main = findMain(tree)
  cleanContent(main, resolve)
  const heading = textOf(findFirst(main, (node) => node.tagName === 'h1'))
  return {
    ...head,
    title: heading === '' ? head.title : heading,
    markdown: head.isNoindex ? '' : toMarkdown(main),
    links: head.isNofollow ? [] : links,
  }
}

const processor = unified()
  .use(rehypeRemark, {
    handlers: {
      // The id follows its heading, so that answers can link to it.
      headingid: (_state: unknown, node: Element) => ({
        type: 'html' as const,
        value: ` {#${String(node.properties['id'])}}`,
      }),
    },
  })
  .use(remarkGfm)
  .use(remarkStringify, { bullet: '-', fences: true, rule: '-', emphasis: '_', listItemIndent: 'one' })

function toMarkdown(main: Root): string {
  return processor.stringify(processor.runSync(main)).trim()
}

type Head = Omit<HtmlPage, 'markdown' | 'links'>

function readHead(tree: Root): Head {
  const head: Head = {
    title: '',
    description: '',
    language: null,
    canonical: null,
    isNoindex: false,
    isNofollow: false,
  }
  visit(tree, 'element', (node) => {
    const { tagName } = node
    if (tagName === 'html') head.language = textProperty(node, 'lang').slice(0, 35) || null
    else if (tagName === 'title' && head.title === '') head.title = textOf(node)
    else if (tagName === 'link' && listProperty(node, 'rel').includes('canonical'))
      head.canonical ??= textProperty(node, 'href')
    else if (tagName === 'meta') readMeta(head, textProperty(node, 'name').toLowerCase(), textProperty(node, 'content'))
    return tagName === 'body' ? EXIT : undefined
  })
  return head
}

function readMeta(head: Head, name: string, content: string): void {
  if (name === 'description') head.description = content.slice(0, textCharsMax)
  if (name !== 'robots') return
  head.isNoindex ||= /\b(?:noindex|none)\b/i.test(content)
  head.isNofollow ||= /\b(?:nofollow|none)\b/i.test(content)
}

function collectLinks(tree: Root): string[] {
  const links = new Set<string>()
  visit(tree, 'element', (node) => {
    if (links.size >= linksMax) return EXIT
    const href =
      node.tagName === 'a' && !listProperty(node, 'rel').includes('nofollow') ? textProperty(node, 'href') : ''
    if (href !== '') links.add(href)
    return undefined
  })
  return [...links]
}

/** The element that contains the content; if a page has several articles, their common ancestor. */
function findMain(tree: Root): Root {
  const articles = findAll(tree, (node) => node.tagName === 'article')
  const [article] = articles
  const found =
    (articles.length === 1 ? article : undefined) ??
    findFirst(tree, (node) => node.tagName === 'main' || textProperty(node, 'role') === 'main') ??
    article ??
    findFirst(tree, (node) => node.tagName === 'body')
  return { type: 'root', children: found === undefined ? tree.children : found.children }
}

const droppedTags = new Set(
  'base nav aside header footer script style noscript template svg form button input select textarea iframe canvas object embed video audio dialog'.split(
    ' ',
  ),
)
const droppedRoles = new Set(['navigation', 'search', 'banner', 'contentinfo', 'complementary', 'dialog', 'button'])
/** Class names that documentation sites give to the chrome around their text. */
const droppedClass =
  /^(?:sr-only|visually-hidden|hash-link|header-anchor|anchor-link|headerlink|heading-anchor|sl-anchor-link|breadcrumbs?|pagination(?:-nav)?|table-of-contents|toc|toc-?mobile|edit-(?:this-)?page|page-nav|prev-next|copy|lang|line-numbers-wrapper|md-source-file|md-feedback|theme-doc-(?:footer|breadcrumbs|toc-mobile|version-badge|version-banner)|VPDocFooter|pagefind-ignore)$/i

function isDropped(node: Element): boolean {
  if (droppedTags.has(node.tagName))
    return !(node.tagName === 'header' && findFirst(node, ({ tagName }) => tagName === 'h1'))
  const { properties } = node
  if (droppedRoles.has(textProperty(node, 'role')) || properties['hidden'] === true) return true
  if (textProperty(node, 'ariaHidden') === 'true' || /display:\s*none/i.test(textProperty(node, 'style'))) return true
  return listProperty(node, 'className').some((name) => droppedClass.test(name))
}

/** Removes everything that is not content and normalises the rest for conversion to Markdown. */
function cleanContent(parent: Root | Element, resolve: (url: string) => string | null): void {
  const kept = parent.children.filter(
    (child) => child.type === 'text' || (child.type === 'element' && !isDropped(child)),
  )
  // Comments and the like are not content either.
  parent.children = kept as ElementContent[]
  for (const [index, child] of parent.children.entries()) {
    if (child.type !== 'element') continue
    if (child.tagName === 'pre') readCode(child, parent)
    else if (child.tagName === 'img') parent.children[index] = { type: 'text', value: textProperty(child, 'alt') }
    else {
      if (child.tagName === 'a') rewriteLink(child, resolve)
      else if (/^h[1-6]$/.test(child.tagName)) markHeading(child)
      cleanContent(child, resolve)
    }
  }
}

/** Highlighters put the language on the code element, on an ancestor, or nowhere, and wrap each line in an element. */
function readCode(pre: Element, parent: Root | Element): void {
  const code = pre.children.find((child) => child.type === 'element' && child.tagName === 'code')
  const holders = [code, pre, parent].filter((node) => node?.type === 'element')
  const named = holders.flatMap((node) => [
    textProperty(node, 'dataLanguage'),
    textProperty(node, 'dataLang'),
    ...listProperty(node, 'className').flatMap((name) => languageClass.exec(name)?.[1] ?? []),
  ])
  const language = named.find((name) => name !== '')
  const properties = language === undefined ? {} : { className: [`language-${language}`] }
  const value = codeOf(pre).replace(/^\n|\s+$/g, '')
  pre.children = [{ type: 'element', tagName: 'code', properties, children: [{ type: 'text', value }] }]
}

const languageClass = /^(?:language|lang|highlight-source)-([\w#+-]{1,40})$/

/** The text of a code block. An element that wraps a line ends the line if its text does not. */
function codeOf(node: Element): string {
  let text = ''
  for (const child of node.children) {
    if (child.type === 'text') text += child.value
    else if (child.type === 'element' && child.tagName === 'br') text += '\n'
    else if (child.type === 'element' && !isDropped(child)) {
      const inner = codeOf(child)
      text += child.tagName === 'div' && !inner.endsWith('\n') ? `${inner}\n` : inner
    }
  }
  return text
}

function rewriteLink(node: Element, resolve: (url: string) => string | null): void {
  const href = resolve(textProperty(node, 'href'))
  if (href === null) {
    node.tagName = 'span'
    node.properties = {}
  } else node.properties = { href }
}

function markHeading(node: Element): void {
  const id = textProperty(node, 'id')
  // Links inside headings are permalinks.
  node.children = node.children.flatMap((child): ElementContent[] => {
    if (child.type !== 'element' || child.tagName !== 'a') return [child]
    return /^[\s#¶§🔗\u200B]*$/u.test(textOf(child)) ? [] : child.children
  })
  if (/^[^\s{}]{1,200}$/.test(id) && textOf(node) !== '')
    node.children.push({ type: 'element', tagName: 'headingid', properties: { id }, children: [] })
}

function findAll(tree: Nodes, fits: (node: Element) => boolean): Element[] {
  const found: Element[] = []
  visit(tree, 'element', (node) => {
    if (fits(node)) found.push(node)
  })
  return found
}

function findFirst(tree: Nodes, fits: (node: Element) => boolean): Element | undefined {
  let found: Element | undefined
  visit(tree, 'element', (node) => {
    if (!fits(node)) return undefined
    found = node
    return EXIT
  })
  return found
}

function textOf(node: Nodes | undefined): string {
  let text = ''
  if (node !== undefined) visit(node, 'text', ({ value }) => void (text += value))
  return text
    .replace(/[\s\u200B]+/g, ' ')
    .trim()
    .slice(0, textCharsMax)
}

function textProperty(node: Element, name: string): string {
  const value = node.properties[name]
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : Array.isArray(value)
      ? value.join(' ')
      : ''
}

function listProperty(node: Element, name: string): string[] {
  return textProperty(node, name).split(/\s+/)
}

import type { Root, RootContent } from 'mdast'
import { FindingList } from '../finding-list.ts'
import { renderPage } from '../flatten/flatten-page.ts'
import { collectAnchorKeys } from '../links/page-anchors.ts'
import { listAnchors, writeHeadingIds } from '../markdown/heading-anchors.ts'
import { MarkdownSyntaxError } from '../markdown/markdown-syntax-error.ts'
import { type ParsedSource, parseSource } from '../markdown/parse-source.ts'
import type { Finding } from '../site-page.ts'
import type { OutlinePage } from './site-outline.ts'

/** A link as written in a page's source. */
export interface WrittenLink {
  url: string
  /** 1-based line in the file. */
  line: number | null
}

/** What links and other checks need to know of a page. */
export interface PageFacts {
  links: readonly WrittenLink[]
  /** As `collectAnchorKeys`. Empty for a page whose headings are generated, such as that of an API operation. */
  anchors: ReadonlySet<string>
  /** Findings from expanding the page's snippets. */
  findings: readonly Finding[]
  /** The syntax error; null if the page parses. */
  fault: { line: number | null; message: string } | null
}

/**
 * Parses a page in its site's format. An unparsable one has no links and no anchors.
 *
 * Runs none of its code. Takes about 25 ms for an average page.
 */
export async function readPageFacts(page: OutlinePage): Promise<PageFacts> {
  const { dialect, variables } = page.library
  const syntax = dialect.syntaxOf(page.file)
  try {
    const source = parseSource(page.file, dialect.prepare(page.body, { syntax, variables }), syntax)
    const links = collectLinks(source.root, page.bodyLine)
    return { links, ...(await readAnchors(page, source)), fault: null }
  } catch (error) {
    if (!(error instanceof MarkdownSyntaxError)) throw error
    const line = error.line === null ? null : error.line + page.bodyLine
    return { links: [], anchors: new Set(), findings: [], fault: { line, message: error.message } }
  }
}

/** The anchors of a page's headings in order, as links write them; empty for a page that cannot be parsed. */
export async function listPageAnchors(page: OutlinePage): Promise<string[]> {
  const { dialect, variables } = page.library
  const syntax = dialect.syntaxOf(page.file)
  try {
    const source = parseSource(page.file, dialect.prepare(page.body, { syntax, variables }), syntax)
    const markdown = await renderPage({ ...page.library, findings: new FindingList() }, page, source)
    return listAnchors(writeHeadingIds(markdown, dialect.anchorStyle))
  } catch (error) {
    if (!(error instanceof MarkdownSyntaxError)) throw error
    return []
  }
}

async function readAnchors(page: OutlinePage, source: ParsedSource): Promise<Pick<PageFacts, 'anchors' | 'findings'>> {
  const findings = new FindingList()
  const markdown = await renderPage({ ...page.library, findings }, page, source)
  const marked = writeHeadingIds(markdown, page.library.dialect.anchorStyle)
  return { anchors: collectAnchorKeys(marked, page.body), findings: findings.list() }
}

function collectLinks(root: Root, bodyLine: number): WrittenLink[] {
  const links: WrittenLink[] = []
  const queue: RootContent[] = [...root.children]
  const add = (url: string, node: RootContent) => {
    const line = node.position?.start.line
    links.push({ url, line: line === undefined ? null : line + bodyLine })
  }
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    // A footnote of one word parses as a definition.
    const isNote = node.type === 'definition' && node.identifier.startsWith('^')
    if (node.type === 'link' || (node.type === 'definition' && !isNote)) add(node.url, node)
    if (node.type === 'html') for (const url of readHtmlLinks(node.value)) add(url, node)
    if (node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement') {
      for (const attribute of node.attributes) {
        const isLink = attribute.type === 'mdxJsxAttribute' && attribute.name === 'href'
        if (isLink && typeof attribute.value === 'string') add(attribute.value, node)
      }
    }
    if ('children' in node) queue.push(...node.children)
  }
  return links
}

function readHtmlLinks(html: string): string[] {
  return [...html.matchAll(/<a\s[^>]{0,500}?\bhref\s*=\s*["']([^"']{1,2000})["']/gi)].map(([, url = '']) => url)
}

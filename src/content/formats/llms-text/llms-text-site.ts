import { createMemoryTree } from '../../trees/memory-tree.ts'
import { readListedSite } from '../crawl/listed-site.ts'
import type { ListedPage, PageList } from '../crawl/page-list.ts'
import { pageListFile } from '../crawl/page-list.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { readText } from '../../trees/read-text.ts'
import { withoutFrontmatter } from '../crawl/page-list.ts'
import { isPageFile } from '../../trees/source-path.ts'
import type { LlmsPage } from './split-llms-text.ts'
import { pagePathOfUrl, readLlmsIndex, splitLlmsFull } from './split-llms-text.ts'

const fullFile = 'llms-full.txt'
const indexFile = 'llms.txt'
const textBytesMax = 64 * 1024 * 1024

/** A tree with `llms-full.txt`, or `llms.txt` and the files it links to, that is no folder of Markdown with a start page. */
export function locateLlmsTextSite(paths: ReadonlySet<string>): string | null {
  const hasStart = ['README.md', 'index.md', 'index.mdx'].some((name) => paths.has(name))
  if (hasStart || !(paths.has(fullFile) || paths.has(indexFile))) return null
  const hasPages = [...paths].some((path) => isPageFile(path))
  return paths.has(indexFile) || !hasPages ? '' : null
}

/** Reads a site that is given as `llms-full.txt`, or as `llms.txt` with the Markdown files that it links to. */
export async function readLlmsTextSite(reading: SiteReading): Promise<SiteContent> {
  const { tree, findings } = reading
  const paths = new Set(tree.paths)
  const full = paths.has(fullFile) ? await readText({ tree, findings }, fullFile, textBytesMax) : null
  const written = paths.has(indexFile) ? await readText({ tree, findings }, indexFile, textBytesMax) : null
  const site = full === null ? await linkFiles(reading, written ?? '') : createLlmsTree(splitLlmsFull(full), written)
  const content = await readListedSite({ ...reading, tree: site })
  return full === null ? content : { ...content, pages: content.pages.map((page) => ({ ...page, file: fullFile })) }
}

/** Pages of `llms-full.txt` as a tree; where there is `llms.txt` too, its order and headings count. */
export function createLlmsTree(pages: readonly LlmsPage[], index: string | null): ReturnType<typeof createMemoryTree> {
  const { name, description, links } = readLlmsIndex(index ?? '')
  const order = new Map(links.map((link, position) => [pagePathOfUrl(link.url), { ...link, position }]))
  const files = new Map<string, string>()
  const listed: ListedPage[] = []
  const positionOf = ({ path }: LlmsPage) => order.get(path)?.position ?? links.length
  for (const page of pages.toSorted((a, b) => positionOf(a) - positionOf(b))) {
    const link = order.get(page.path)
    const file = `pages/${files.size}.md`
    files.set(file, withoutFrontmatter(page.markdown))
    listed.push({
      file,
      path: page.path,
      title: page.title || (link?.title ?? ''),
      description: page.description || (link?.description ?? ''),
      section: link?.section ?? [],
      language: null,
    })
  }
  const list: PageList = { kind: 'llms-txt', name, description, language: null, pages: listed }
  return createMemoryTree(new Map([...files, [pageListFile, JSON.stringify(list)]]))
}

async function linkFiles({ tree, findings }: SiteReading, index: string) {
  const { name, description, links } = readLlmsIndex(index)
  const paths = new Set(tree.paths)
  const files = new Map<string, string>()
  const listed: ListedPage[] = []
  for (const { url, title, description: about, section } of links) {
    const path = pagePathOfUrl(url)
    const stem = path === '/' ? 'index' : path.slice(1)
    const file = [`${stem}.md`, `${stem}.mdx`, `${stem}/index.md`, stem].find((candidate) => paths.has(candidate))
    const text = file === undefined || files.has(file) ? null : await readText({ tree, findings }, file)
    if (file === undefined) {
      const message = `llms.txt links to ${url}, but its text is not here. Add the file, or crawl the site instead.`
      findings.add({ file: indexFile, line: null, rule: 'navigation-page-missing', message })
    }
    if (file === undefined || text === null) continue
    files.set(file, text)
    listed.push({ file, path, title, description: about, section, language: null })
  }
  const list: PageList = { kind: 'llms-txt', name, description, language: null, pages: listed }
  return createMemoryTree(new Map([...files, [pageListFile, JSON.stringify(list)]]))
}

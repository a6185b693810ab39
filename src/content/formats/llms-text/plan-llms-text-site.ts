import type { SiteReading } from '../../site-reading.ts'
import type { FileTree } from '../../trees/file-tree.ts'
import { readText } from '../../trees/read-text.ts'
import { createListedTree, type ListedPage, withoutFrontmatter } from '../crawl/page-list.ts'
import { planListedSite } from '../crawl/plan-listed-site.ts'
import type { SitePlan } from '../site-format.ts'
import { fullFile, indexFile } from './llms-text-format.ts'
import { type LlmsPage, pagePathOfUrl, readLlmsIndex, splitLlmsFull } from './split-llms-text.ts'

const textBytesMax = 64 * 1024 * 1024

/** Reads a site given as `llms-full.txt`, or as `llms.txt` with the Markdown files that it links to. */
export async function planLlmsTextSite(reading: SiteReading): Promise<SitePlan> {
  const readFile = async (file: string) =>
    reading.paths.has(file) ? await readText(reading, file, textBytesMax) : null
  const full = await readFile(fullFile)
  const index = await readFile(indexFile)
  const tree = full === null ? await linkFiles(reading, index ?? '') : createLlmsTree(splitLlmsFull(full), index)
  const plan = await planListedSite({ ...reading, tree, paths: new Set(tree.paths) })
  if (full === null) return { ...plan, tree }
  const readPages: SitePlan['readPages'] = async (library) => {
    return (await plan.readPages(library)).map((page) => ({ ...page, file: fullFile }))
  }
  return { ...plan, tree, readPages }
}

/** Makes a tree of the pages of `llms-full.txt`; order and sections come from `llms.txt`, if present. */
export function createLlmsTree(pages: readonly LlmsPage[], index: string | null): FileTree {
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
  return createListedTree(files, { kind: 'llms-txt', name, description, language: null, pages: listed })
}

async function linkFiles(reading: SiteReading, index: string): Promise<FileTree> {
  const { name, description, links } = readLlmsIndex(index)
  const files = new Map<string, string>()
  const listed: ListedPage[] = []
  for (const { url, title, description: about, section } of links) {
    const path = pagePathOfUrl(url)
    const stem = path === '/' ? 'index' : path.slice(1)
    const file = [`${stem}.md`, `${stem}.mdx`, `${stem}/index.md`, stem].find((candidate) =>
      reading.paths.has(candidate),
    )
    const text = file === undefined || files.has(file) ? null : await readText(reading, file)
    if (file === undefined) {
      const message = `llms.txt links to ${url}, but its text is missing. Add the file, or crawl the site instead.`
      reading.findings.add({ file: indexFile, line: null, rule: 'navigation-page-missing', message })
    }
    if (file === undefined || text === null) continue
    files.set(file, text)
    listed.push({ file, path, title, description: about, section, language: null })
  }
  return createListedTree(files, { kind: 'llms-txt', name, description, language: null, pages: listed })
}

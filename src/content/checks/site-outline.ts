import type { SiteFormat } from '../formats/site-format.ts'
import { siteFormatOf } from '../formats/site-formats.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { FindingList } from '../finding-list.ts'
import { readSite } from '../read-site.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import type { Finding, SiteContent, SitePage } from '../site-page.ts'
import { createLibrary, type PageSource, type SourceLibrary } from '../flatten/source-library.ts'
import { readText } from '../trees/read-text.ts'
import { isPageFile, pagePathOf } from '../trees/source-path.ts'
import type { LoadedFiles } from './loaded-files.ts'

/** A page file of a site, read and not parsed. */
export interface OutlinePage extends PageSource {
  /** Whether readers can open it: a snippet or a file beside the site has no address. */
  isRouted: boolean
  library: SourceLibrary
}

/** What there is of a site, without what its pages say: cheap to make, because no page is parsed. */
export interface SiteOutline {
  tree: FileTree
  format: SiteFormat
  /** Every Markdown file of the tree by its path. */
  page: (file: string) => Promise<OutlinePage | null>
  /** Addresses that a link of the site may name → the file that is shown there. */
  routes: ReadonlyMap<string, string>
  /** Files that the navigation leads to. */
  navigated: ReadonlySet<string>
  findings: readonly Finding[]
  loaded: LoadedFiles
}

/** Reads a site by the reader of its format, which gives every page its address, and leaves the pages unparsed. */
export async function outlineSite(tree: FileTree, loaded: LoadedFiles, signal: AbortSignal): Promise<SiteOutline> {
  const pages = new Map<string, OutlinePage>()
  const site = await readSite(tree, {
    signal,
    aroundLoad: loaded.around,
    aroundFlatten: (library, page) => {
      if (!pages.has(page.file)) pages.set(page.file, { ...page, isRouted: true, library })
      return Promise.resolve('')
    },
  })
  const format = siteFormatOf(site.format)
  const library = pages.values().next().value?.library ?? createLibrary({ tree, findings: new FindingList() }, {})
  const routes = listRoutes(tree, format, site.pages)
  const known = new Set(tree.paths)
  return {
    tree,
    format,
    routes: format.hasLanguageFallback === true ? addFallbacks(routes, site) : routes,
    navigated: new Set(site.pages.map(({ file }) => file)),
    findings: site.findings,
    loaded,
    page: async (file) => {
      const found = pages.get(file)
      if (found !== undefined || !known.has(file) || !isPageFile(file)) return found ?? null
      const page = await readLoosePage(file, library, routes)
      if (page !== null) pages.set(file, page)
      return page
    },
  }
}

function listRoutes(tree: FileTree, format: SiteFormat, pages: readonly SitePage[]): Map<string, string> {
  const routes = new Map<string, string>()
  if (format.hasFileAddresses === true) {
    for (const file of tree.paths) {
      const isPart = format.navigationFile !== undefined && file.startsWith('snippets/')
      if (isPageFile(file) && !isPart) routes.set(pagePathOf(file), file)
    }
  }
  for (const { path, file } of pages) routes.set(path, file)
  return routes
}

function addFallbacks(
  routes: ReadonlyMap<string, string>,
  { pages, defaultLanguage }: Pick<SiteContent, 'pages' | 'defaultLanguage'>,
): Map<string, string> {
  const all = new Map<string, string>()
  const languages = new Set(pages.flatMap(({ language }) => (language === null ? [] : [language.toLowerCase()])))
  const firstParts = new Set([...routes.keys()].map((path) => path.split('/')[1] ?? ''))
  const prefixes = [...firstParts].filter((part) => languages.has(part.toLowerCase()))
  for (const { path, file, language } of pages) {
    if (language !== defaultLanguage) continue
    const bare = path.split('/')[1] === language ? path.slice(language.length + 1) : path
    for (const prefix of prefixes) all.set(`/${prefix}${bare === '/' ? '' : bare}`, file)
  }
  for (const [path, file] of routes) all.set(path, file)
  return all
}

/** A file that the site's navigation does not lead to: a hidden page, a snippet or a file beside the site. */
async function readLoosePage(
  file: string,
  library: SourceLibrary,
  routes: ReadonlyMap<string, string>,
): Promise<OutlinePage | null> {
  const findings = new FindingList()
  const text = await readText({ tree: library.tree, findings }, file)
  if (text === null) return null
  const { body, bodyLine } = splitFrontmatter(text)
  const path = pagePathOf(file)
  const isRouted = routes.get(path) === file
  return { file, body, bodyLine, path, isRouted, library }
}

import type { PageSource } from '../flatten/around-flatten.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { FindingList } from '../finding-list.ts'
import { readSite } from '../read-site.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import type { Finding, SiteContent, SiteFormat, SitePage } from '../site-page.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'
import { createLibrary } from '../flatten/source-library.ts'
import { readText } from '../trees/read-text.ts'
import { isPageFile, pagePathOf } from '../trees/source-path.ts'
import type { LoadedFiles } from './loaded-files.ts'

/** A page file of a site, read and not parsed. */
export interface OutlinePage extends PageSource {
  /** Whether readers can open it: a snippet or a file beside the site has no address. */
  isRouted: boolean
  anchorStyle: NonNullable<SitePage['anchorStyle']>
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

/** Formats in which a page that is not translated is shown in the default language, at the address of its language. */
const fallbackFormats: ReadonlySet<SiteFormat> = new Set(['starlight', 'docusaurus', 'mkdocs', 'fumadocs', 'nextra'])

/** Formats in which every page file has the address that its path gives it, in the navigation or not. */
const pathFormats: ReadonlySet<SiteFormat> = new Set(['docs-json', 'mint-json', 'markdown'])

/** Reads a site by the reader of its format, which gives every page its address, and leaves the pages unparsed. */
export async function outlineSite(tree: FileTree, loaded: LoadedFiles, signal: AbortSignal): Promise<SiteOutline> {
  const captured = new Map<string, Omit<OutlinePage, 'anchorStyle'>>()
  const site = await readSite(tree, {
    signal,
    aroundLoad: loaded.around,
    aroundFlatten: (library, page) => {
      if (!captured.has(page.file)) captured.set(page.file, { ...page, isRouted: true, library })
      return Promise.resolve('')
    },
  })
  const anchorStyle = site.pages[0]?.anchorStyle ?? 'github'
  const pages = new Map<string, OutlinePage>()
  for (const [file, page] of captured) pages.set(file, { ...page, anchorStyle })
  const library = [...pages.values()][0]?.library ?? createLibrary(tree, new Map(), new FindingList())
  const routes = listRoutes(tree, site)
  const known = new Set(tree.paths)
  return {
    tree,
    format: site.format,
    routes: fallbackFormats.has(site.format) ? addFallbacks(routes, site) : routes,
    navigated: new Set(site.pages.map(({ file }) => file)),
    findings: site.findings,
    loaded,
    page: async (file) => {
      const found = pages.get(file)
      if (found !== undefined || !known.has(file) || !isPageFile(file)) return found ?? null
      const page = await readLoosePage(file, { library, routes, anchorStyle })
      if (page !== null) pages.set(file, page)
      return page
    },
  }
}

function listRoutes(tree: FileTree, site: { format: SiteFormat; pages: readonly SitePage[] }): Map<string, string> {
  const routes = new Map<string, string>()
  if (pathFormats.has(site.format)) {
    for (const file of tree.paths) {
      const isPart = site.format !== 'markdown' && file.startsWith('snippets/')
      if (isPageFile(file) && !isPart) routes.set(pagePathOf(file), file)
    }
  }
  for (const { path, file } of site.pages) routes.set(path, file)
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
  {
    library,
    routes,
    anchorStyle,
  }: Pick<OutlinePage, 'library' | 'anchorStyle'> & { routes: ReadonlyMap<string, string> },
): Promise<OutlinePage | null> {
  const findings = new FindingList()
  const text = await readText({ tree: library.tree, findings }, file)
  if (text === null) return null
  const { body, bodyLine } = splitFrontmatter(text)
  const path = pagePathOf(file)
  const isRouted = routes.get(path) === file
  return { file, body, bodyLine, path, isRouted, anchorStyle, library }
}

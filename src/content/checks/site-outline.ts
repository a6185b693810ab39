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

/** A page file that was read but not parsed. */
export interface OutlinePage extends PageSource {
  /** Whether it has an address. Snippets and other files outside the site have none. */
  isRouted: boolean
  library: SourceLibrary
}

/** The structure of a site without the content of its pages. Cheap, because no page is parsed. */
export interface SiteOutline {
  tree: FileTree
  format: SiteFormat
  /** Returns the Markdown file at a path of the tree, or null. */
  page: (file: string) => Promise<OutlinePage | null>
  /** Address → file, for every address that links of the site may use. */
  routes: ReadonlyMap<string, string>
  /** Files in the navigation. */
  navigated: ReadonlySet<string>
  findings: readonly Finding[]
  loaded: LoadedFiles
}

/** Assigns page addresses by the site's format without parsing the pages. */
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

/** Reads a file outside the navigation: a hidden page, a snippet or an unrelated file. */
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

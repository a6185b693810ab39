import type { SiteFormat } from '../formats/site-format.ts'
import type { FileTree } from '../trees/file-tree.ts'
import { FindingList } from '../finding-list.ts'
import type { Redirect } from '../links/redirect.ts'
import type { SiteLinks } from '../links/site-links.ts'
import { readLinkedSite } from '../read-site.ts'
import { moveLinks } from '../self-check/check-addresses.ts'
import { splitFrontmatter } from '../markdown/read-frontmatter.ts'
import type { Finding } from '../site-page.ts'
import { createLibrary, type PageSource, type SourceLibrary, unreadPage } from '../flatten/source-library.ts'
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
  library: SourceLibrary
  /** Returns the Markdown file at a path of the tree, or null. */
  page: (file: string) => Promise<OutlinePage | null>
  /** Address → file, for every address that links of the site may use. */
  routes: ReadonlyMap<string, string>
  /** What links lead to; `routes` is part of it. */
  links: SiteLinks
  /** Those of the site's configuration. */
  redirects: readonly Redirect[]
  /** Files in the navigation. */
  navigated: ReadonlySet<string>
  findings: readonly Finding[]
  loaded: LoadedFiles
}

/** Assigns page addresses by the site's format without parsing the pages. */
export async function outlineSite(tree: FileTree, loaded: LoadedFiles, signal: AbortSignal): Promise<SiteOutline> {
  const pages = new Map<string, OutlinePage>()
  const { site, format, links, redirects, moved } = await readLinkedSite(tree, {
    signal,
    aroundLoad: loaded.around,
    aroundFlatten: (library, page) => {
      if (!pages.has(page.file)) pages.set(page.file, { ...page, isRouted: true, library })
      return Promise.resolve(unreadPage)
    },
  })
  const read = pages.values().next().value?.library ?? createLibrary({ tree, findings: new FindingList() }, {})
  const library = { ...read, dialect: moveLinks(read.dialect, moved) }
  for (const [file, page] of pages) pages.set(file, { ...page, library })
  const { routes } = links
  const known = new Set(tree.paths)
  return {
    tree,
    format,
    library,
    routes,
    links,
    redirects,
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

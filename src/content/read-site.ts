import { createLibrary } from './flatten/source-library.ts'
import { locateSite } from './formats/site-formats.ts'
import type { SiteFormat } from './formats/site-format.ts'
import { FindingList } from './finding-list.ts'
import { type Redirect, readHostRedirects } from './links/redirects.ts'
import { reportDeadLinks } from './links/report-dead-links.ts'
import { createSiteLinks, type SiteLinks } from './links/site-links.ts'
import { findSharedPath } from './routes/shared-path.ts'
import type { SiteContent } from './site-page.ts'
import type { ReadSiteOptions } from './site-reading.ts'
import type { FileTree } from './trees/file-tree.ts'
import { createIgnoreFilter } from './trees/ignored-paths.ts'
import { relocateFile } from './trees/relocate-file.ts'
import { readText } from './trees/read-text.ts'

/** A site and the parts of its reading that checks need. */
export interface LinkedSite {
  site: SiteContent
  format: SiteFormat
  links: SiteLinks
  /** Those of the site's configuration. */
  redirects: readonly Redirect[]
}

const ignoreFileBytesMax = 64 * 1024

/**
 * Reads a whole site: detects its format and turns its sources into pages as readers see them.
 *
 * Faults in the source become findings; the rest of the site is still read. Runs none of the site's code. CPU-bound,
 * about 10 ms per page: call it in a worker.
 *
 * @throws {AbortError} when the signal aborts.
 */
export async function readSite(tree: FileTree, options: ReadSiteOptions = {}): Promise<SiteContent> {
  const { folder = '' } = options
  const { site } = await readLinkedSite(tree, options)
  if (folder === '') return site
  const relocate = <Item extends { file: string }>(item: Item) => ({ ...item, file: relocateFile(item.file, folder) })
  const pages = site.pages.map(({ apiFile, ...page }) => {
    return { ...relocate(page), ...(apiFile === undefined ? {} : { apiFile: relocateFile(apiFile, folder) }) }
  })
  return { ...site, pages, findings: site.findings.map(relocate) }
}

/** Reads a site together with what its links lead to. */
export async function readLinkedSite(tree: FileTree, options: ReadSiteOptions): Promise<LinkedSite> {
  options.signal?.throwIfAborted()
  const files = { tree, paths: new Set(tree.paths), findings: new FindingList() }
  const ignored = files.paths.has('.mintignore') ? await readText(files, '.mintignore', ignoreFileBytesMax) : null
  const { folder = '' } = options
  const { format, root } = locateSite(files.paths, folder)
  const isIgnored = createIgnoreFilter(ignored ?? '', format.navigationFile !== undefined)
  const isLeftOut = createIgnoreFilter(ignored ?? '', false)
  const reading = { ...files, options, hooks: options, isIgnored, canBeNamed: (path: string) => !isLeftOut(path) }
  const { tree: pageTree = tree, dialect, variables = new Map(), readPages, ...plan } = await format.plan(reading, root)
  const { routes = new Map(), redirects = [], unread = [], ...content } = plan
  const library = createLibrary({ ...files, tree: pageTree }, { dialect, variables, hooks: options })
  const pages = await readPages(library)
  const { title: name = '', description = '' } = pages.find(({ path }) => path === '/') ?? {}
  const site = { format: format.name, name, description, ...content, pages }
  const allRedirects = [...redirects, ...(await readHostRedirects(files))]
  const links = createSiteLinks({ site, paths: library.paths, root, routes, redirects: allRedirects, unread, format })
  await reportDeadLinks(library, pages, links)
  const basePath = format.hasFileAddresses === true ? {} : { basePath: findBasePath(site) }
  return { site: { ...site, ...basePath, findings: files.findings.list() }, format, links, redirects }
}

/** The configured base path, else the path that all addresses share. */
function findBasePath({ basePath = '/', pages }: Pick<SiteContent, 'basePath' | 'pages'>): string {
  return basePath === '/' ? findSharedPath(pages.map(({ path }) => path)) : basePath
}

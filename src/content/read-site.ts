import { createImageFinder } from './images/find-images.ts'
import { createLibrary } from './flatten/source-library.ts'
import { locateSite } from './formats/site-formats.ts'
import type { SiteFormat } from './formats/site-format.ts'
import { FindingList } from './finding-list.ts'
import type { Redirect } from './links/redirect.ts'
import { readHostRedirects } from './links/redirects.ts'
import { followNamedAnchors } from './links/follow-named-anchors.ts'
import { createSiteLinks, type SiteLinks } from './links/site-links.ts'
import { findSharedPath } from './routes/shared-path.ts'
import { checkReading } from './self-check/check-reading.ts'
import { type RecordedSource, recordSources } from './self-check/source-record.ts'
import type { SiteContent, SitePage } from './site-page.ts'
import type { ReadSiteOptions } from './site-reading.ts'
import type { FileTree } from './trees/file-tree.ts'
import { createIgnoreFilter } from './trees/ignored-paths.ts'
import { readText } from './trees/read-text.ts'

/** A site and the parts of its reading that checks need. */
export interface LinkedSite {
  site: SiteContent
  format: SiteFormat
  links: SiteLinks
  /** Those of the site's configuration. */
  redirects: readonly Redirect[]
  /** Page addresses by the format → those that the site's own links show; only where they differ. */
  moved: ReadonlyMap<string, string>
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
  const { words } = site.check
  const check = { ...site.check, words: { ...words, worst: words.worst && relocate(words.worst) } }
  return { ...site, pages, check, findings: site.findings.map(relocate) }
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
  const { hooks, sources } = recordSources(options)
  const reading = { ...files, options, hooks, isIgnored, canBeNamed: (path: string) => !isLeftOut(path) }
  const { tree: pageTree = tree, dialect, variables = new Map(), readPages, ...plan } = await format.plan(reading, root)
  const { routes = new Map<string, string>(), redirects = [], unread = [], ...content } = plan
  const library = createLibrary({ ...files, tree: pageTree }, { dialect, variables, hooks })
  const all = [...redirects, ...(await readHostRedirects(files))]
  const checked = await checkReading({
    pages: await readPages(library),
    sources,
    library,
    siteUrl: options.siteUrl ?? null,
    hasGivenAddresses: format.hasGivenAddresses === true,
    linkPages: (pages, moved) => {
      const placed = new Map([...routes].map(([file, path]) => [file, moved.get(path) ?? path]))
      // Where pages are served below a path, the rest of the host is not the site's.
      const site = { ...content, pages, ...(moved.size > 0 ? { basePath: findBasePath({ ...content, pages }) } : {}) }
      return createSiteLinks({ site, paths: library.paths, root, routes: placed, redirects: all, unread, format })
    },
  })
  const { links, moved, ...read } = checked
  // Pages that are cut out of other files have none of their own.
  const linked = followNamedAnchors(read.pages, ({ file }) => sources.get(file)?.body)
  const written = pageTree === tree ? linked.map((page) => addSource(page, sources)) : linked
  const pages = written.map(createImageFinder(files.paths))
  const { title: name = '', description = '' } = read.pages.find(({ path }) => path === '/') ?? {}
  const site = { format: format.name, name, description, ...content, ...read, pages }
  const isBelowPath = format.hasFileAddresses !== true || moved.size > 0
  const basePath = isBelowPath ? { basePath: findBasePath(site) } : {}
  const followed = all.filter(({ isRewrite }) => isRewrite !== true)
  const led = followed.length === 0 ? {} : { redirects: followed }
  return { site: { ...site, ...basePath, ...led, findings: files.findings.list() }, format, links, redirects, moved }
}

function addSource(page: SitePage, sources: ReadonlyMap<string, RecordedSource>): SitePage {
  const { text, bodyLine = 0 } = sources.get(page.file) ?? {}
  return text === undefined ? page : { ...page, source: { text, bodyLine } }
}

/** The configured base path, else the path that all addresses share. */
function findBasePath({
  basePath = '/',
  pages,
}: Readonly<Pick<SiteContent, 'basePath'>> & { pages: readonly SitePage[] }): string {
  return basePath === '/' ? findSharedPath(pages.map(({ path }) => path)) : basePath
}

/** A path of a repository as seen from one of its folders: `docs/a.md` from `website` → `../docs/a.md`. Pure. */
function relocateFile(file: string, folder: string): string {
  if (file === '' || folder === '') return file
  if (file.startsWith(`${folder}/`)) return file.slice(folder.length + 1)
  return `${'../'.repeat(folder.split('/').length)}${file}`
}

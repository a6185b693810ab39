import { createLibrary } from './flatten/source-library.ts'
import { locateSite } from './formats/site-formats.ts'
import { FindingList } from './finding-list.ts'
import { findSharedPath } from './routes/shared-path.ts'
import type { SiteContent } from './site-page.ts'
import type { ReadSiteOptions } from './site-reading.ts'
import type { FileTree } from './trees/file-tree.ts'
import { createIgnoreFilter } from './trees/ignored-paths.ts'
import { readText } from './trees/read-text.ts'

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
  options.signal?.throwIfAborted()
  const files = { tree, paths: new Set(tree.paths), findings: new FindingList() }
  const ignored = files.paths.has('.mintignore') ? await readText(files, '.mintignore', ignoreFileBytesMax) : null
  const { format, root } = locateSite(files.paths)
  const isIgnored = createIgnoreFilter(ignored ?? '', format.navigationFile !== undefined)
  const isLeftOut = createIgnoreFilter(ignored ?? '', false)
  const reading = { ...files, options, hooks: options, isIgnored, canBeNamed: (path: string) => !isLeftOut(path) }
  const { tree: pageTree = tree, dialect, variables = new Map(), readPages, ...plan } = await format.plan(reading, root)
  const library = createLibrary({ ...files, tree: pageTree }, { dialect, variables, hooks: options })
  const pages = await readPages(library)
  const start = pages.find(({ path }) => path === '/')
  const { title: name = '', description = '' } = start ?? {}
  const site = { format: format.name, name, description, ...plan, pages, findings: files.findings.list() }
  return format.hasFileAddresses === true ? site : { ...site, basePath: findBasePath(site) }
}

/** The configured base path, else the path that all addresses share. */
function findBasePath({ basePath = '/', pages }: SiteContent): string {
  return basePath === '/' ? findSharedPath(pages.map(({ path }) => path)) : basePath
}

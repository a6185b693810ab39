import { docsJsonDialect, type PageDialect, prepareMdxAfter } from '../../flatten/page-dialect.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'
import type { SourceLibrary } from '../../flatten/source-library.ts'
import { buildPage, isPartOfSite } from '../../pages/build-page.ts'
import { loadPageFile, readPageMarkdown } from '../../pages/load-page.ts'
import { topPlace } from '../../pages/navigation-entry.ts'
import type { SitePage } from '../../site-page.ts'
import { reportTooManyPages, sitePagesMax, type SiteReading } from '../../site-reading.ts'
import { isPageFile, pagePathOf, deriveTitle } from '../../trees/source-path.ts'
import type { SitePlan } from '../site-format.ts'
import { isJekyllSite, planJekyllSite } from './plan-jekyll-site.ts'
import { prepareTemplates } from './prepare-templates.ts'

const dialect: PageDialect = {
  ...docsJsonDialect,
  name: 'markdown',
  anchorStyle: 'github',
  components: undefined,
  prepare: prepareMdxAfter((body) => prepareContainers(prepareTemplates(body))),
}

/** Reads a plain folder of Markdown: every file is a page, in path order. */
export async function planMarkdownSite(reading: SiteReading): Promise<SitePlan> {
  if (isJekyllSite(reading)) return planJekyllSite(reading, dialect)
  return {
    defaultVersion: null,
    defaultLanguage: null,
    dialect,
    readPages: (library) => readPages(reading, library),
  }
}

async function readPages(reading: SiteReading, library: SourceLibrary): Promise<SitePage[]> {
  const files = listPageFiles(reading)
  if (files.length > sitePagesMax) reportTooManyPages(reading)
  const pages = new Map<string, SitePage>()
  const kept = files.slice(0, sitePagesMax)
  for (const [index, file] of kept.entries()) {
    reading.options.signal?.throwIfAborted()
    const page = await readPage(reading, library, file)
    if (page !== null && !pages.has(page.path)) pages.set(page.path, page)
    reading.options.onProgress?.(index + 1, kept.length)
  }
  const content = [...pages.values()].filter((page) => !library.imported.has(page.file))
  return content.map((page, order) => ({ ...page, order }))
}

/**
 * Sorted by page path. A `README.md` is its folder's page if there is no index: other formats ignore it, but a plain
 * folder often has nothing else.
 */
function listPageFiles({ tree, findings, isIgnored }: SiteReading): string[] {
  const files = new Map<string, string>()
  for (const file of tree.paths) {
    if (!isPageFile(file) || isIgnored(file.replace(/(^|\/)README(?=\.md$)/, '$1index'))) continue
    const path = pagePathOf(file)
    const known = files.get(path)
    if (known === undefined || known.endsWith('README.md')) files.set(path, file)
    else if (!file.endsWith('README.md')) {
      const message = `The file has the same page path as ${known} and is ignored. Rename one of them.`
      findings.add({ file, line: null, rule: 'page-path-duplicate', message })
    }
  }
  return [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file)
}

async function readPage(reading: SiteReading, library: SourceLibrary, file: string): Promise<SitePage | null> {
  const loaded = await loadPageFile(library, file)
  if (loaded === null) return null
  const { frontmatter } = loaded
  const requiresSignIn = reading.options.requiresSignIn ?? false
  const settings = {
    place: topPlace,
    frontmatter,
    isInNavigation: true,
    indexing: 'navigable' as const,
    requiresSignIn,
  }
  if (!isPartOfSite(settings)) return null
  const path = pagePathOf(file)
  const { markdown, heading } = await readPageMarkdown(library, loaded, path, frontmatter.title)
  const title = frontmatter.title ?? heading ?? deriveTitle(file)
  return buildPage({ path, file, title, description: frontmatter.description ?? '', markdown, order: 0 }, settings)
}

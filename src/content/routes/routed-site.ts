import { expandIncludes, type IncludeSyntax } from '../flatten/expand-includes.ts'
import { buildPage, isPartOfSite } from '../pages/build-page.ts'
import { readLandingText } from '../pages/landing-text.ts'
import { loadPageFile, type PageFile, readPageMarkdown } from '../pages/load-page.ts'
import { joinBlocks } from '../markdown/markdown-writing.ts'
import { fieldsOf } from '../pages/page-head.ts'
import type { Frontmatter } from '../markdown/read-frontmatter.ts'
import { topPlace } from '../pages/navigation-entry.ts'
import type { RoutedPage } from './routed-page.ts'
import type { SitePage } from '../site-page.ts'
import { reportTooManyPages, sitePagesMax, type SiteReading } from '../site-reading.ts'
import type { SourceLibrary } from '../flatten/source-library.ts'
import { deriveTitle } from '../trees/source-path.ts'

export interface RoutedSiteOptions {
  /** In navigation order. The first page at an address wins. */
  pages: readonly RoutedPage[]
  /** Whether the title in the navigation takes precedence over that in the file. */
  prefersNavigationTitle?: boolean
  /** How pages include parts of other files. */
  includes?: IncludeSyntax
  /** Writes what a page shows of API descriptions, below its own text. */
  writeApi?: (page: PageFile) => Promise<string>
}

/** Reads the pages of a site whose format has assigned the addresses. */
export async function readRoutedPages(
  reading: SiteReading,
  library: SourceLibrary,
  options: RoutedSiteOptions,
): Promise<SitePage[]> {
  const { signal, onProgress } = reading.options
  const routes = keepFirst(reading, options.pages)
  const pages: SitePage[] = []
  for (const [index, route] of routes.entries()) {
    signal?.throwIfAborted()
    const page = await readRoutedPage(reading, library, options, route)
    if (page !== null) pages.push({ ...page, order: pages.length })
    onProgress?.(index + 1, routes.length)
  }
  return pages
}

function keepFirst(reading: SiteReading, pages: readonly RoutedPage[]): RoutedPage[] {
  const byPath = new Map<string, RoutedPage>()
  for (const page of pages) {
    const known = byPath.get(page.path)
    if (known === undefined) byPath.set(page.path, page)
    else if (known.file !== page.file) {
      const message = `The file has the same address as ${known.file}, ${page.path}, and is ignored. Rename one of them.`
      reading.findings.add({ file: page.file, line: null, rule: 'page-path-duplicate', message })
    }
  }
  if (byPath.size > sitePagesMax) reportTooManyPages(reading)
  return [...byPath.values()].slice(0, sitePagesMax)
}

async function readRoutedPage(
  reading: SiteReading,
  library: SourceLibrary,
  options: RoutedSiteOptions,
  route: RoutedPage,
): Promise<SitePage | null> {
  const loaded = await loadPageFile(library, route.file)
  if (loaded === null) return null
  const settings = {
    place: { ...topPlace, section: route.section, language: route.language, version: route.version ?? null },
    frontmatter: sharedFields(loaded.frontmatter, route.isSearchable),
    isInNavigation: route.isInNavigation,
    indexing: 'all' as const,
    requiresSignIn: reading.options.requiresSignIn ?? false,
  }
  if (!isPartOfSite(settings)) return null
  const { includes } = options
  const body = includes === undefined ? loaded.body : await expandIncludes(library, loaded, includes)
  const given = loaded.frontmatter.title
  const { markdown, heading } = await readPageMarkdown(library, { ...loaded, body }, route.path, given)
  const api = (await options.writeApi?.(loaded)) ?? ''
  const own = given ?? heading
  const title =
    (options.prefersNavigationTitle === true ? (route.title ?? own) : (own ?? route.title)) ?? deriveTitle(route.file)
  const isTakenOut = heading !== null && (given === undefined || given === heading)
  // Keep a heading that is not the title after all: it occurs nowhere else on the page.
  const lostHeading = isTakenOut && heading !== title ? `# ${heading}` : ''
  const landing = readLandingText(fieldsOf(loaded.fields, library), (url) => library.dialect.resolveLink(url, route))
  return buildPage(
    {
      path: route.path,
      file: route.file,
      title,
      description: loaded.frontmatter.description ?? '',
      markdown: joinBlocks([landing, lostHeading, markdown, api]),
      order: 0,
    },
    settings,
  )
}

/** Fields with the same meaning in every format. Others, such as `version` and `tag`, have different meanings. */
function sharedFields(frontmatter: Frontmatter, isSearchable: boolean): Frontmatter {
  const { groups, hidden, noindex, searchable, keywords, boost } = frontmatter
  const isPublic = frontmatter.public
  return {
    ...(groups === undefined ? {} : { groups }),
    ...(hidden === undefined ? {} : { hidden }),
    ...(noindex === undefined ? {} : { noindex }),
    ...(searchable === undefined && isSearchable ? {} : { searchable: isSearchable && searchable !== false }),
    ...(keywords === undefined ? {} : { keywords }),
    ...(boost === undefined ? {} : { boost }),
    ...(isPublic === undefined ? {} : { public: isPublic }),
  }
}

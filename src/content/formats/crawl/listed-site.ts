import { topPlace } from '../../pages/navigation-entry.ts'
import { noImports } from '../../flatten/page-dialect.ts'
import { readPageList } from './page-list.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { createLibrary } from '../../flatten/source-library.ts'

/** Reads a tree that was put together from a published site: Markdown files, and a list that gives each its address. */
export async function readListedSite(reading: SiteReading): Promise<SiteContent> {
  const { tree, findings } = reading
  const list = await readPageList(reading)
  const paths = new Set(tree.paths)
  const pages = (list?.pages ?? []).filter(({ file }) => paths.has(file))
  const library = createLibrary(tree, new Map(), findings, {
    name: 'listed',
    syntaxOf: () => 'markdown',
    prepare: (body) => prepareContainers(body),
    ...noImports,
    resolveLink: createRouteLinks({
      // Files are named by whoever wrote the list, so that only addresses mean something in a link.
      routes: new Map(pages.map(({ path }) => [`\0${path}`, path])),
      roots: [],
      base: '/',
      hasTrailingSlash: false,
    }),
  })
  const routed = pages.map((page) => ({
    file: page.file,
    path: page.path,
    place: { ...topPlace, section: page.section, language: page.language },
    title: page.title === '' ? null : page.title,
    isInNavigation: true,
    isSearchable: true,
  }))
  const read = await readRoutedPages(reading, library, {
    pages: routed,
    anchorStyle: 'github',
    prefersNavigationTitle: true,
  })
  const descriptions = new Map(pages.map(({ path, description }) => [path, description]))
  return {
    format: list?.kind ?? 'crawl',
    name: list?.name ?? '',
    description: list?.description ?? '',
    defaultVersion: null,
    defaultLanguage: list?.language ?? null,
    pages: read.map((page) => ({ ...page, description: page.description || (descriptions.get(page.path) ?? '') })),
    findings: findings.list(),
  }
}

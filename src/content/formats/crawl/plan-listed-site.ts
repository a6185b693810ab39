import { noImports } from '../../flatten/page-dialect.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import type { SiteReading } from '../../site-reading.ts'
import type { SitePlan } from '../site-format.ts'
import { readPageList } from './page-list.ts'

/** Reads a tree assembled from a published site: Markdown files and a list of their addresses. */
export async function planListedSite(reading: SiteReading): Promise<SitePlan> {
  const list = await readPageList(reading)
  const pages = (list?.pages ?? []).filter(({ file }) => reading.paths.has(file))
  const routed = pages.map(({ title, ...page }) => ({
    ...page,
    title: title === '' ? null : title,
    isInNavigation: true,
    isSearchable: true,
  }))
  const descriptions = new Map(pages.map(({ path, description }) => [path, description]))
  return {
    format: list?.kind ?? 'crawl',
    name: list?.name ?? '',
    description: list?.description ?? '',
    defaultVersion: null,
    defaultLanguage: list?.language ?? null,
    dialect: {
      name: 'listed',
      anchorStyle: 'github',
      syntaxOf: () => 'markdown',
      prepare: prepareContainers,
      ...noImports,
      resolveLink: createRouteLinks({
        // File names are arbitrary, so links resolve by address only.
        routes: new Map(pages.map(({ path }) => [`\0${path}`, path])),
        roots: [],
        base: '/',
        hasTrailingSlash: false,
      }),
    },
    readPages: async (library) => {
      const read = await readRoutedPages(reading, library, { pages: routed, prefersNavigationTitle: true })
      return read.map((page) => ({ ...page, description: page.description || (descriptions.get(page.path) ?? '') }))
    },
  }
}

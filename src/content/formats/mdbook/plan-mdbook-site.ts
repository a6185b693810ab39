import { reportMissingPage } from '../../finding-list.ts'
import { noImports } from '../../flatten/page-dialect.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage, routeOfFile } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { inFolder } from '../../routes/site-roots.ts'
import type { SiteReading } from '../../site-reading.ts'
import { readText } from '../../trees/read-text.ts'
import type { SitePlan } from '../site-format.ts'
import { type MdbookConfig, readMdbookConfig } from './mdbook-config.ts'
import { mdbookIncludes } from './mdbook-includes.ts'
import { readSummary } from './mdbook-summary.ts'
import { prepareMdbook } from './prepare-mdbook.ts'

/** Reads an mdBook: the chapters of `SUMMARY.md`, the only ones that it publishes. */
export async function planMdbookSite(reading: SiteReading, root: string): Promise<SitePlan> {
  const config = await readMdbookConfig(reading, root)
  const { base, folder } = config
  const pages = await listChapters(reading, config)
  const routes = new Map(pages.map(({ file, path }) => [file, path]))
  return {
    name: config.title,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: config.language,
    basePath: base,
    routes,
    redirects: config.redirects.map(([from, to]) => ({ source: joinRoute(base, from), destination: to })),
    // Every chapter on one page.
    unread: [joinRoute(base, 'print.html'), joinRoute(base, 'print')],
    dialect: {
      name: 'mdbook',
      anchorStyle: 'github',
      syntaxOf: () => 'markdown',
      prepare: prepareMdbook,
      ...noImports,
      resolveLink: createRouteLinks({ routes, roots: [`${folder}/`], base, hasTrailingSlash: false }),
    },
    readPages: (library) => readRoutedPages(reading, library, { pages, includes: mdbookIncludes }),
  }
}

async function listChapters(reading: SiteReading, { base, folder, language }: MdbookConfig): Promise<RoutedPage[]> {
  const summary = inFolder(folder, 'SUMMARY.md')
  const text = reading.paths.has(summary) ? await readText(reading, summary) : null
  if (text === null) reportMissingPage(reading.findings, { file: '', holder: 'The folder', target: summary })
  return readSummary(text ?? '').flatMap(({ name, title, section }): RoutedPage[] => {
    const file = inFolder(folder, name)
    if (!reading.paths.has(file)) {
      reportMissingPage(reading.findings, { file: summary, holder: 'SUMMARY.md', target: name })
      return []
    }
    const path = routeOfFile(base, name.replace(/(^|\/)README\.md$/, '$1index.md'))
    return [{ file, path, section, language, title, isInNavigation: true, isSearchable: true }]
  })
}

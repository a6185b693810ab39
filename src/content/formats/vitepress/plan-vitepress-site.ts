import { type FindingList, reportMissingPage } from '../../finding-list.ts'
import { noImports } from '../../flatten/page-dialect.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage, routeOfFile } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { localeFolderOf, readLocales, type SiteLocales } from '../../routes/site-locales.ts'
import { filesBelow, findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { ConfigFields, reportComputed } from '../../site-config/config-fields.ts'
import { ComputedValue, type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'
import { readConfigFile } from '../../site-config/read-config-file.ts'
import type { SiteReading } from '../../site-reading.ts'
import { matchGlobs } from '../../trees/match-globs.ts'
import { isPageFile } from '../../trees/source-path.ts'
import type { SitePlan } from '../site-format.ts'
import { prepareVitepress } from './prepare-vitepress.ts'
import { createPathRewriter } from './rewrite-paths.ts'
import { configFile, localeConfig } from './vitepress-format.ts'
import { vitepressIncludes } from './vitepress-includes.ts'
import { readVitepressSidebar, type SidebarPlace } from './vitepress-sidebar.ts'

interface VitepressConfig {
  title: string
  description: string
  base: string
  sourceFolder: string
  locales: SiteLocales
  /** Sidebars in reading order, each with its language folder. */
  sidebars: { value: ConfigValue; locale: string }[]
  isExcluded: (path: string) => boolean
  rewrite: (path: string) => string
}

/** Reads a VitePress site. Every Markdown file is a page; sidebars order and group them. */
export async function planVitepressSite(reading: SiteReading, root: string): Promise<SitePlan> {
  const config = await readConfig(reading, root)
  const { base, sourceFolder, locales } = config
  const routes = new Map<string, string>()
  for (const [name, file] of filesBelow(reading.paths, sourceFolder)) {
    if (!isPageFile(name) || isOutside(name) || config.isExcluded(name)) continue
    if (/\[[^\]]+\]/.test(name)) reportGenerated(reading.findings, file)
    else routes.set(file, routeOfFile(base, config.rewrite(name)))
  }
  const pages = await routePages(reading, config, routes)
  return {
    name: config.title,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: locales.defaultLanguage,
    basePath: base,
    routes,
    dialect: {
      name: 'vitepress',
      anchorStyle: 'vitepress',
      syntaxOf: () => 'markdown',
      prepare: prepareVitepress,
      ...noImports,
      resolveLink: createRouteLinks({ routes, roots: [sourceFolder], base, hasTrailingSlash: false }),
    },
    readPages: (library) => readRoutedPages(reading, library, { pages, includes: vitepressIncludes(sourceFolder) }),
  }
}

function isOutside(name: string): boolean {
  return /(?:^|\/)(?:node_modules|\.[^/]+|dist)\//.test(name)
}

function reportGenerated(findings: FindingList, file: string): void {
  const message =
    'The file generates pages by running code, so they are not read. Crawl the published site to include them.'
  findings.add({ file, line: null, rule: 'page-generated', message })
}

async function routePages(
  reading: SiteReading,
  config: VitepressConfig,
  routes: ReadonlyMap<string, string>,
): Promise<RoutedPage[]> {
  const places = placeBySidebars(reading.findings, config, routes)
  const heads = await readPageHeads(reading, routes.keys())
  const pages = [...routes].flatMap(([file, path]): RoutedPage[] => {
    const head = heads.get(file)
    if (head === undefined) return []
    const place = places.get(path)
    const below = path.slice(config.base === '/' ? 1 : config.base.length + 1)
    const folder = localeFolderOf(below, config.locales)
    return [
      {
        file,
        path,
        section: place?.section ?? [],
        language: config.locales.byFolder.get(folder) ?? null,
        // Landing pages have neither a title nor a heading.
        title: place?.title ?? (below === folder ? config.title : null),
        isInNavigation: place !== undefined || below === '',
        isSearchable: head.isSearchable,
      },
    ]
  })
  const orderOf = (page: RoutedPage) => places.get(page.path)?.order ?? (page.path === config.base ? -1 : Infinity)
  return pages.sort((a, b) => compare(orderOf(a), orderOf(b)) || (a.path < b.path ? -1 : 1))
}

function placeBySidebars(
  findings: FindingList,
  { sidebars, base }: VitepressConfig,
  routes: ReadonlyMap<string, string>,
): Map<string, SidebarPlace> {
  const places = new Map<string, SidebarPlace>()
  for (const { value, locale } of sidebars) readVitepressSidebar(value, { base, locale, findings, places })
  const known = new Set(routes.values())
  for (const { path } of places.values())
    if (!known.has(path)) reportMissingPage(findings, { file: '', holder: 'The sidebar', target: path })
  return places
}

/** Infinity minus Infinity is NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

async function readConfig(reading: SiteReading, root: string): Promise<VitepressConfig> {
  const { findings } = reading
  const file = findFileBelow(reading.paths, root, configFile) ?? ''
  const config = new ConfigFields(await readConfigFile(reading, file), '', findings)
  const sourceFolder = inFolder(root, joinRoute(config.text('srcDir') ?? '').slice(1))
  const locales = readLocales(config.fields('locales'), null)
  const language = locales.byFolder.size === 0 ? config.text('lang')?.replace(/-.*$/, '') : undefined
  const sidebars = [
    { value: sidebarOf(config), locale: '' },
    ...config
      .fields('locales')
      .keys()
      .map((key) => ({
        value: sidebarOf(config.fields('locales').fields(key)),
        locale: key === 'root' ? '' : key.replace(/^\/|\/$/g, ''),
      })),
    ...(await readLocaleSidebars(reading, sourceFolder)),
  ]
  return {
    title: config.text('title') ?? '',
    description: config.text('description') ?? '',
    base: joinRoute(config.text('base') ?? '/'),
    sourceFolder,
    locales: language === undefined ? locales : { byFolder: new Map([['', language]]), defaultLanguage: language },
    sidebars: sidebars.filter(({ value }) => value !== undefined),
    isExcluded: matchGlobs(config.texts('srcExclude')),
    rewrite: readRewrites(config, findings),
  }
}

/** A language may have its own configuration in its folder. */
async function readLocaleSidebars(reading: SiteReading, sourceFolder: string): Promise<VitepressConfig['sidebars']> {
  const sidebars: VitepressConfig['sidebars'] = []
  for (const [name, file] of filesBelow(reading.paths, sourceFolder)) {
    const [match, locale = ''] = localeConfig.exec(name) ?? []
    if (match === undefined) continue
    const own = new ConfigFields(await readConfigFile(reading, file), '', reading.findings)
    sidebars.push({ value: sidebarOf(own), locale })
  }
  return sidebars
}

function sidebarOf(config: ConfigFields): ConfigValue {
  return config.fields('themeConfig').get('sidebar')
}

function readRewrites(config: ConfigFields, findings: FindingList): (path: string) => string {
  const value = config.get('rewrites')
  if (!isConfigObject(value)) return (path) => path
  const pairs: [string, string][] = []
  for (const [from, to] of Object.entries(value)) {
    if (typeof to === 'string') pairs.push([from, to])
    else if (to instanceof ComputedValue) reportComputed(to, `rewrites.${from}`, findings)
  }
  return createPathRewriter(pairs)
}

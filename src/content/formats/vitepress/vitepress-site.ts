import { ConfigFields, reportComputed } from '../../site-config/config-fields.ts'
import type { ConfigValue } from '../../site-config/config-value.ts'
import { ComputedValue, isConfigObject, unwrapCall } from '../../site-config/config-value.ts'
import { expandIncludes } from '../../flatten/expand-includes.ts'
import type { FindingList } from '../../finding-list.ts'
import { matchGlobs } from '../../trees/match-globs.ts'
import { topPlace } from '../../pages/navigation-entry.ts'
import { noImports } from '../../flatten/page-dialect.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { prepareVitepress } from './prepare-vitepress.ts'
import { readConfigCode } from '../../site-config/read-config-code.ts'
import { createPathRewriter } from './rewrite-paths.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import type { RoutedPage } from '../../routes/routed-page.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import type { SiteLocales } from '../../routes/site-locales.ts'
import { localeFolderOf, readLocales } from '../../routes/site-locales.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { filesBelow, findSiteRoot, inFolder } from '../../routes/site-roots.ts'
import type { SourceLibrary } from '../../flatten/source-library.ts'
import { createLibrary } from '../../flatten/source-library.ts'
import { isPageFile } from '../../trees/source-path.ts'
import { vitepressIncludes } from './vitepress-includes.ts'
import type { SidebarPlace } from './vitepress-sidebar.ts'
import { readVitepressSidebar } from './vitepress-sidebar.ts'

const configFile = /^\.vitepress\/config(?:\/index)?\.[mc]?[jt]s$/
const localeConfig = /^(?:([\w-]+)\/)?config\.[mc]?[jt]s$/

/** The folder that holds `.vitepress/config`. */
export function locateVitepressSite(paths: ReadonlySet<string>): string | null {
  return findSiteRoot(paths, configFile)
}

interface VitepressConfig {
  title: string
  description: string
  base: string
  sourceFolder: string
  locales: SiteLocales
  /** Sidebars in the order in which they are read, each with the folder of its language. */
  sidebars: { value: ConfigValue; locale: string }[]
  isExcluded: (path: string) => boolean
  rewrite: (path: string) => string
}

/** Reads a VitePress site. Every Markdown file is a page; sidebars order and group them. */
export async function readVitepressSite(reading: SiteReading, root: string): Promise<SiteContent> {
  const { tree, findings } = reading
  const config = await readConfig(reading, root)
  const routes = new Map<string, string>()
  const library = createLibrary(tree, new Map(), findings, {
    name: 'vitepress',
    syntaxOf: () => 'markdown',
    prepare: (body) => prepareVitepress(body),
    ...noImports,
    resolveLink: (url, from) => resolve(url, from),
  })
  for (const [name, file] of filesBelow(tree.paths, config.sourceFolder)) {
    if (!isPageFile(name) || isOutside(name) || config.isExcluded(name)) continue
    if (/\[[^\]]+\]/.test(name)) reportGenerated(findings, file)
    else routes.set(file, pathOf(config.rewrite(name), config.base))
  }
  const resolve = createRouteLinks({ routes, roots: [config.sourceFolder], base: config.base, hasTrailingSlash: false })
  const includes = vitepressIncludes(config.sourceFolder)
  const pages = await routePages(reading, library, config, routes)
  return {
    format: 'vitepress',
    name: config.title,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: config.locales.defaultLanguage,
    basePath: config.base,
    pages: await readRoutedPages(reading, library, {
      pages,
      anchorStyle: 'vitepress',
      expand: (page) => expandIncludes(library, page, includes),
    }),
    findings: findings.list(),
  }
}

function isOutside(name: string): boolean {
  return /(?:^|\/)(?:node_modules|\.[^/]+|dist)\//.test(name)
}

function reportGenerated(findings: FindingList, file: string): void {
  const message =
    'The file makes pages by running code, so its pages are not read. Crawl the published site to have them.'
  findings.add({ file, line: null, rule: 'page-generated', message })
}

function pathOf(name: string, base: string): string {
  return joinRoute(base, name.replace(/\.mdx?$/i, '').replace(/(^|\/)index$/, '$1'))
}

async function routePages(
  reading: SiteReading,
  library: SourceLibrary,
  config: VitepressConfig,
  routes: ReadonlyMap<string, string>,
): Promise<RoutedPage[]> {
  const { findings } = reading
  const places = new Map<string, SidebarPlace>()
  for (const { value, locale } of config.sidebars)
    readVitepressSidebar(value, { base: config.base, locale, findings, places })
  const known = new Set(routes.values())
  for (const place of places.values()) if (!known.has(place.path)) reportMissing(findings, place)
  const heads = await readPageHeads(
    reading,
    library,
    [...routes.keys()].map((file) => ({ file })),
  )
  const pages = [...routes].flatMap(([file, path]): RoutedPage[] => {
    const head = heads.get(file)
    if (head === undefined) return []
    const place = places.get(path)
    const below = path.slice(config.base === '/' ? 1 : config.base.length + 1)
    const language = config.locales.byFolder.get(localeFolderOf(below, config.locales)) ?? null
    return [
      {
        file,
        path,
        place: { ...topPlace, section: place?.section ?? [], language },
        // A landing page has neither a title nor a heading.
        title: place?.title ?? (below === localeFolderOf(below, config.locales) ? config.title : null),
        isInNavigation: place !== undefined || below === '',
        isSearchable: head.isSearchable,
      },
    ]
  })
  const orderOf = (page: RoutedPage) => places.get(page.path)?.order ?? (page.path === config.base ? -1 : Infinity)
  return pages.sort((a, b) => compare(orderOf(a), orderOf(b)) || (a.path < b.path ? -1 : 1))
}

/** Infinity less Infinity is not a number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}

function reportMissing(findings: FindingList, place: SidebarPlace): void {
  const message = `The sidebar names ${place.path}, but there is no such page. Add the file or remove the entry.`
  findings.add({ file: '', line: null, rule: 'navigation-page-missing', message })
}

async function readConfig(reading: SiteReading, root: string): Promise<VitepressConfig> {
  const { tree, findings } = reading
  const library = { tree, findings, paths: new Set(tree.paths) }
  const below = filesBelow(tree.paths, root)
  const file = [...below].find(([name]) => configFile.test(name))?.[1] ?? ''
  const code = await readConfigCode(library, file)
  const config = new ConfigFields(unwrapCall(code?.exported('default')), '', findings)
  const sourceFolder = inFolder(root, joinRoute(config.text('srcDir') ?? '').slice(1))
  const locales = readLocales(config.fields('locales'), null)
  const language = locales.byFolder.size === 0 ? config.text('lang')?.replace(/-.*$/, '') : undefined
  const sidebars = [
    { value: config.fields('themeConfig').get('sidebar'), locale: '' },
    ...config
      .fields('locales')
      .keys()
      .map((key) => ({
        value: config.fields('locales').fields(key).fields('themeConfig').get('sidebar'),
        locale: key === 'root' ? '' : key.replace(/^\/|\/$/g, ''),
      })),
    ...(await readLocaleSidebars(reading, sourceFolder, library)),
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
async function readLocaleSidebars(
  reading: SiteReading,
  sourceFolder: string,
  library: Parameters<typeof readConfigCode>[0],
): Promise<VitepressConfig['sidebars']> {
  const sidebars: VitepressConfig['sidebars'] = []
  for (const [name, file] of filesBelow(reading.tree.paths, sourceFolder)) {
    const [match, locale = ''] = localeConfig.exec(name) ?? []
    if (match === undefined) continue
    const code = await readConfigCode(library, file)
    const own = new ConfigFields(unwrapCall(code?.exported('default')), '', reading.findings)
    sidebars.push({ value: own.fields('themeConfig').get('sidebar'), locale })
  }
  return sidebars
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

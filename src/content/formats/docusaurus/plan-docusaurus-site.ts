import { FindingList } from '../../finding-list.ts'
import { type PageDialect, syntaxOfExtension } from '../../flatten/page-dialect.ts'
import { blankComments, prepareContainers } from '../../flatten/prepare-containers.ts'
import { prepareMdx } from '../../flatten/prepare-mdx.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { importsByPath, type PathAliases, readPathAliases } from '../../routes/path-aliases.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage, routeOfFile } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { putDefaultFirst } from '../../routes/site-locales.ts'
import { filesBelow, inFolder } from '../../routes/site-roots.ts'
import type { ConfigValue } from '../../site-config/config-value.ts'
import { readConfigFile } from '../../site-config/read-config-file.ts'
import type { SiteReading } from '../../site-reading.ts'
import { matchGlobs } from '../../trees/match-globs.ts'
import { isPageFile, resolveSourcePath } from '../../trees/source-path.ts'
import type { SitePlan } from '../site-format.ts'
import {
  type DocsInstance,
  type DocsVersion,
  type DocusaurusConfig,
  readDocusaurusConfig,
} from './docusaurus-config.ts'
import { folderOf, sidebarFileOf } from './docusaurus-files.ts'
import { listGeneratedIndexes } from './docusaurus-indexes.ts'
import { describeDoc, type DocusaurusDoc } from './docusaurus-docs.ts'
import { readDocusaurusSidebars } from './docusaurus-sidebar.ts'

/** State of one reading of a Docusaurus site. */
interface Docusaurus {
  reading: SiteReading
  root: string
  config: DocusaurusConfig
  /** File → address, filled as versions are read. */
  routes: Map<string, string>
  /** Addresses of pages that are not read, filled as versions are read. */
  unread: string[]
}

/**
 * Reads a Docusaurus site: its documentation in every version and language, and standalone Markdown pages. Skips drafts
 * and unlisted pages, and the blog, with a finding.
 */
export async function planDocusaurusSite(reading: SiteReading, root: string): Promise<SitePlan> {
  const config = await readDocusaurusConfig(reading, root)
  const site: Docusaurus = {
    reading,
    root,
    config,
    routes: new Map(),
    unread: config.unreadRoutes.map((route) => joinRoute(config.base, route, '*')),
  }
  const pages: RoutedPage[] = []
  for (const instance of config.instances) {
    for (const version of instance.versions) {
      for (const locale of putDefaultFirst(config.locales, config.defaultLocale))
        pages.push(...(await readVersion(site, instance, version, locale)))
    }
  }
  pages.push(...(await readLoosePages(site)))
  reportBlog(site)
  const isVersioned = config.instances.some(({ versions }) => versions.some(({ label }) => label !== null))
  const last = config.instances[0]?.versions.find(({ isLast }) => isLast)
  return {
    name: config.title,
    description: config.tagline,
    defaultVersion: isVersioned ? (last?.label ?? null) : null,
    defaultLanguage: languageOf(config, config.defaultLocale),
    basePath: config.base,
    routes: site.routes,
    redirects: config.redirects,
    unread: site.unread,
    dialect: createDialect(site, await readAliases(site)),
    readPages: (library) => readRoutedPages(reading, library, { pages }),
  }
}

/** The public language name of a locale; null on a site with only one. */
function languageOf({ locales }: DocusaurusConfig, locale: string): string | null {
  return locales.length > 1 ? locale : null
}

/** `@site` is the site's folder. */
async function readAliases({ reading, root }: Docusaurus): Promise<PathAliases> {
  const aliases = await readPathAliases(reading, root)
  const siteFolder = (reference: string) => {
    const file = reference.startsWith('@site/') ? resolveSourcePath('', inFolder(root, reference.slice(6))) : null
    return file === null ? [] : [file]
  }
  return { ...aliases, resolve: (reference) => [...siteFolder(reference), ...aliases.resolve(reference)] }
}

function createDialect({ reading, config, root, routes }: Docusaurus, aliases: PathAliases): PageDialect {
  const folders = config.instances.flatMap(({ folder }) => [`${folder}/`])
  const resolve = createRouteLinks({
    routes,
    roots: [...folders, ''],
    base: config.base,
    hasTrailingSlash: false,
    triesRoots: true,
  })
  return {
    name: JSON.stringify(['docusaurus', root, config.isMarkdownMdx, aliases.key]),
    anchorStyle: 'github',
    syntaxOf: (file) => (config.isMarkdownMdx ? 'mdx' : syntaxOfExtension(file)),
    prepare: (body, { syntax, variables }) => {
      const prepared = prepareContainers(prepareIdComments(body))
      return syntax === 'mdx' ? prepareMdx(blankComments(prepared), variables) : prepared
    },
    ...importsByPath(reading.paths, aliases),
    resolveLink: (url, from) => resolve(url.replace(/^@site\//, `/${root === '' ? '' : `${root}/`}`), from),
  }
}

/** `## Title {/* #id *\/}` is the newer syntax for heading ids. */
function prepareIdComments(body: string): string {
  return body.replace(/^([ \t]*#{1,6}[ \t][^\n]*?)\{\/\*[ \t]*(#[^\s{}*]{1,200})[ \t]*\*\/\}[ \t]*$/gm, '$1{$2}')
}

async function readVersion(
  site: Docusaurus,
  instance: DocsInstance,
  version: DocsVersion,
  locale: string,
): Promise<RoutedPage[]> {
  const { reading, root, config, routes } = site
  const isDefault = locale === config.defaultLocale
  const folder = folderOf(instance, version, isDefault ? null : locale, root)
  const below = filesBelow(reading.paths, folder)
  const isExcluded = matchGlobs(expandBraces(instance.excluded))
  const files = [...below].filter(([name]) => isPageFile(name) && !isExcluded(name))
  const heads = await readPageHeads(reading, new Map(files).values())
  const route = joinRoute(config.base, isDefault ? '' : locale, instance.route, version.path)
  const docs: DocusaurusDoc[] = []
  for (const [name, file] of files) {
    const head = heads.get(file)
    if (head === undefined || head.isDraft) continue
    const doc = describeDoc(name, file, head, route)
    routes.set(file, doc.path)
    if (!head.isUnlisted) docs.push(doc)
  }
  const sidebarFile = sidebarFileOf(instance, version, root)
  const hasSidebar = sidebarFile !== null && reading.paths.has(sidebarFile)
  // Missing translations are not faults: readers get the default language.
  const findings = isDefault ? reading.findings : new FindingList()
  const sidebars = hasSidebar ? await readConfigFile(reading, sidebarFile) : undefined
  const categories = await readCategories(reading, below)
  site.unread.push(...listGeneratedIndexes([sidebars, ...categories.values()], route))
  const placed = readDocusaurusSidebars(sidebars, {
    docs,
    categories,
    file: sidebarFile ?? '',
    findings,
  })
  const inSidebar = new Set(placed.map(({ doc }) => doc))
  const rest = docs.filter((doc) => !inSidebar.has(doc)).map((doc) => ({ doc, section: [], label: null }))
  return [...placed, ...rest].map(({ doc, section, label }) => ({
    file: doc.file,
    path: doc.path,
    section,
    version: version.label,
    language: languageOf(config, locale),
    title: label ?? doc.head.title,
    isInNavigation: inSidebar.has(doc),
    isSearchable: doc.head.isSearchable,
  }))
}

/** Expands braces, which ignore patterns do not support. */
function expandBraces(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const [match, before = '', list = '', after = ''] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob) ?? []
    return match === undefined ? [glob] : list.split(',').map((part) => `${before}${part}${after}`)
  })
}

async function readCategories(
  reading: SiteReading,
  below: ReadonlyMap<string, string>,
): Promise<Map<string, ConfigValue>> {
  const categories = new Map<string, ConfigValue>()
  for (const [name, file] of below) {
    const [match, folder = ''] = /^(?:(.+)\/)?_category_\.(?:json|ya?ml)$/.exec(name) ?? []
    if (match !== undefined) categories.set(folder, await readConfigFile(reading, file))
  }
  return categories
}

/** Markdown below `src/pages` is addressed by its path. */
async function readLoosePages({ reading, root, config, routes }: Docusaurus): Promise<RoutedPage[]> {
  const files = [...filesBelow(reading.paths, inFolder(root, 'src/pages'))].filter(([name]) => {
    return isPageFile(name) && !/(?:^|\/)_/.test(name)
  })
  const heads = await readPageHeads(reading, new Map(files).values())
  const language = languageOf(config, config.defaultLocale)
  return files.flatMap(([name, file]): RoutedPage[] => {
    const head = heads.get(file)
    if (head === undefined || head.isDraft || head.isUnlisted) return []
    const path = routeOfFile(config.base, name)
    routes.set(file, path)
    const { title, isSearchable } = head
    return [{ file, path, section: [], language, title, isInNavigation: false, isSearchable }]
  })
}

function reportBlog({ reading, config }: Docusaurus): void {
  if (config.blog === null) return
  const posts = [...filesBelow(reading.paths, config.blog.folder).keys()].filter((name) => isPageFile(name))
  if (posts.length === 0) return
  const message = `The ${posts.length} blog files in ${config.blog.folder} are not documentation and are not read.`
  reading.findings.add({ file: config.file, line: null, rule: 'blog-not-read', message })
}

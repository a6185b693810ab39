import type { ConfigValue } from '../../site-config/config-value.ts'
import type { DocsInstance, DocsVersion, DocusaurusConfig } from './docusaurus-config.ts'
import { docusaurusConfigFile, readDocusaurusConfig, readSidebarsFile } from './docusaurus-config.ts'
import type { DocusaurusDoc } from './docusaurus-docs.ts'
import { describeDoc } from './docusaurus-docs.ts'
import { readDocusaurusSidebars } from './docusaurus-sidebar.ts'
import { FindingList } from '../../finding-list.ts'
import { matchGlobs } from '../../trees/match-globs.ts'
import { topPlace } from '../../pages/navigation-entry.ts'
import type { PageDialect } from '../../flatten/page-dialect.ts'
import { relativeImports, syntaxOfExtension } from '../../flatten/page-dialect.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { parseJson } from '../../site-config/parse-json.ts'
import { parseYamlConfig } from '../../site-config/parse-yaml-config.ts'
import { blankComments, prepareContainers } from '../../flatten/prepare-containers.ts'
import { prepareMdx } from '../../flatten/prepare-mdx.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import type { RoutedPage } from '../../routes/routed-page.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { filesBelow, findSiteRoot, inFolder } from '../../routes/site-roots.ts'
import type { SourceLibrary } from '../../flatten/source-library.ts'
import { createLibrary } from '../../flatten/source-library.ts'
import { readText } from '../../trees/read-text.ts'
import { isPageFile, resolveSourcePath } from '../../trees/source-path.ts'

/** The folder that holds `docusaurus.config`. */
export function locateDocusaurusSite(paths: ReadonlySet<string>): string | null {
  return findSiteRoot(paths, docusaurusConfigFile)
}

/** Everything that one run over a Docusaurus site shares. */
interface Docusaurus {
  reading: SiteReading
  root: string
  config: DocusaurusConfig
  library: SourceLibrary
  routes: Map<string, string>
}

/**
 * Reads a Docusaurus site: its documentation in every version and language, and Markdown pages beside it. Drafts and unlisted pages are
 * no part of it; neither is the blog, which a finding says.
 */
export async function readDocusaurusSite(reading: SiteReading, root: string): Promise<SiteContent> {
  const { tree, findings } = reading
  const config = await readDocusaurusConfig(reading, root)
  const routes = new Map<string, string>()
  const library = createLibrary(tree, new Map(), findings, createDialect(config, root, routes))
  const site: Docusaurus = { reading, root, config, library, routes }
  const pages: RoutedPage[] = []
  for (const instance of config.instances) {
    for (const version of instance.versions) {
      for (const locale of localesOf(config)) pages.push(...(await readVersion(site, instance, version, locale)))
    }
  }
  pages.push(...(await readLoosePages(site)))
  reportBlog(site)
  const isVersioned = config.instances.some(({ versions }) => versions.some(({ label }) => label !== null))
  const last = config.instances[0]?.versions.find(({ isLast }) => isLast)
  return {
    format: 'docusaurus',
    name: config.title,
    description: config.tagline,
    defaultVersion: isVersioned ? (last?.label ?? null) : null,
    defaultLanguage: config.locales.length > 1 ? config.defaultLocale : null,
    basePath: config.base,
    pages: await readRoutedPages(reading, library, { pages, anchorStyle: 'github' }),
    findings: findings.list(),
  }
}

function localesOf({ defaultLocale, locales }: DocusaurusConfig): string[] {
  return [defaultLocale, ...locales.filter((locale) => locale !== defaultLocale)]
}

function createDialect(config: DocusaurusConfig, root: string, routes: ReadonlyMap<string, string>): PageDialect {
  const folders = config.instances.flatMap(({ folder }) => [`${folder}/`])
  let resolve: PageDialect['resolveLink'] | null = null
  return {
    name: JSON.stringify(['docusaurus', root, config.isMarkdownMdx]),
    syntaxOf: (file) => (config.isMarkdownMdx ? 'mdx' : syntaxOfExtension(file)),
    prepare: (body, { syntax, variables }) => {
      const prepared = prepareContainers(prepareIdComments(body))
      return syntax === 'mdx' ? prepareMdx(blankComments(prepared), variables) : prepared
    },
    resolveImport: (from, reference) => {
      if (reference.startsWith('@site/')) return resolveSourcePath('', inFolder(root, reference.slice(6)))
      return relativeImports.resolveImport(from, reference)
    },
    isContentImport: (reference) => /^(?:\.|@site\/).*\.mdx?$/.test(reference),
    resolveLink: (url, from) => {
      // The routes are complete only when the first page is read.
      resolve ??= createRouteLinks({ routes, roots: [...folders, ''], base: config.base, hasTrailingSlash: false })
      return resolve(url.replace(/^@site\//, `/${root === '' ? '' : `${root}/`}`), from)
    },
  }
}

/** `## Title {/* #id *\/}` is the newer way to write an id. */
function prepareIdComments(body: string): string {
  return body.replace(/^([ \t]*#{1,6}[ \t][^\n]*?)\{\/\*[ \t]*(#[^\s{}*]{1,200})[ \t]*\*\/\}[ \t]*$/gm, '$1{$2}')
}

async function readVersion(
  site: Docusaurus,
  instance: DocsInstance,
  version: DocsVersion,
  locale: string,
): Promise<RoutedPage[]> {
  const { reading, root, config, library, routes } = site
  const isDefault = locale === config.defaultLocale
  const folder = folderOf(instance, version, isDefault ? null : locale, root)
  const below = filesBelow(reading.tree.paths, folder)
  const isExcluded = matchGlobs(expandBraces(instance.excluded))
  const files = [...below].filter(([name]) => isPageFile(name) && !isExcluded(name))
  const heads = await readPageHeads(
    reading,
    library,
    files.map(([, file]) => ({ file })),
  )
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
  const hasSidebar = sidebarFile !== null && reading.tree.paths.includes(sidebarFile)
  // In other languages pages are missing without fault: the default language is shown in their place.
  const findings = isDefault ? reading.findings : new FindingList()
  const placed = readDocusaurusSidebars(hasSidebar ? await readSidebarsFile(reading, sidebarFile) : undefined, {
    docs,
    categories: await readCategories(reading, below),
    file: sidebarFile ?? '',
    findings,
  })
  const inSidebar = new Set(placed.map(({ doc }) => doc))
  const rest = docs.filter((doc) => !inSidebar.has(doc)).map((doc) => ({ doc, section: [], label: null }))
  return [...placed, ...rest].map(({ doc, section, label }) => ({
    file: doc.file,
    path: doc.path,
    place: { ...topPlace, section, version: version.label, language: config.locales.length > 1 ? locale : null },
    title: label ?? doc.head.title,
    isInNavigation: inSidebar.has(doc),
    isSearchable: doc.head.isSearchable,
  }))
}

function folderOf(instance: DocsInstance, version: DocsVersion, locale: string | null, root: string): string {
  const { id } = instance
  const prefix = id === 'default' ? '' : `${id}_`
  if (locale !== null) {
    const plugin = `docusaurus-plugin-content-docs${id === 'default' ? '' : `-${id}`}`
    return inFolder(
      root,
      `i18n/${locale}/${plugin}/${version.name === 'current' ? 'current' : `version-${version.name}`}`,
    )
  }
  if (version.name === 'current') return instance.folder
  return inFolder(root, `${prefix}versioned_docs/version-${version.name}`)
}

function sidebarFileOf({ id, sidebarFile }: DocsInstance, version: DocsVersion, root: string): string | null {
  if (version.name === 'current') return sidebarFile
  return inFolder(root, `${id === 'default' ? '' : `${id}_`}versioned_sidebars/version-${version.name}-sidebars.json`)
}

/** The globs of a configuration may list alternatives in braces, which patterns of ignore files cannot. */
function expandBraces(globs: readonly string[]): string[] {
  return globs.flatMap((glob) => {
    const [match, before = '', list = '', after = ''] = /^([^{}]*)\{([^{}]*)\}([^{}]*)$/.exec(glob) ?? []
    return match === undefined ? [glob] : list.split(',').map((part) => `${before}${part}${after}`)
  })
}

async function readCategories(
  { tree, findings }: SiteReading,
  below: ReadonlyMap<string, string>,
): Promise<Map<string, ConfigValue>> {
  const categories = new Map<string, ConfigValue>()
  for (const [name, file] of below) {
    const [match, folder = '', extension] = /^(?:(.+)\/)?_category_\.(json|ya?ml)$/.exec(name) ?? []
    const text = match === undefined ? null : await readText({ tree, findings }, file)
    if (text === null) continue
    const value = extension === 'json' ? parseJson(text, file, findings) : parseYamlConfig(text, file, findings)
    categories.set(folder, value as ConfigValue) // JSON and YAML hold nothing else.
  }
  return categories
}

/** Markdown below `src/pages` is a page at the path of its file. */
async function readLoosePages({ reading, root, config, library, routes }: Docusaurus): Promise<RoutedPage[]> {
  const files = [...filesBelow(reading.tree.paths, inFolder(root, 'src/pages'))].filter(([name]) => {
    return isPageFile(name) && !/(?:^|\/)_/.test(name)
  })
  const heads = await readPageHeads(
    reading,
    library,
    files.map(([, file]) => ({ file })),
  )
  return files.flatMap(([name, file]): RoutedPage[] => {
    const head = heads.get(file)
    if (head === undefined || head.isDraft || head.isUnlisted) return []
    const path = joinRoute(config.base, name.replace(/\.mdx?$/i, '').replace(/(^|\/)index$/, '$1'))
    routes.set(file, path)
    const language = config.locales.length > 1 ? config.defaultLocale : null
    const place = { ...topPlace, language }
    return [{ file, path, place, title: head.title, isInNavigation: false, isSearchable: head.isSearchable }]
  })
}

function reportBlog({ reading, config }: Docusaurus): void {
  if (config.blog === null) return
  const posts = [...filesBelow(reading.tree.paths, config.blog.folder).keys()].filter((name) => isPageFile(name))
  if (posts.length === 0) return
  const message = `The ${posts.length} files of the blog in ${config.blog.folder} are no documentation and are not read.`
  reading.findings.add({ file: config.file, line: null, rule: 'blog-not-read', message })
}

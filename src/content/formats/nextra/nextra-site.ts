import { ConfigFields } from '../../site-config/config-fields.ts'
import type { ConfigValue } from '../../site-config/config-value.ts'
import { unwrapCall } from '../../site-config/config-value.ts'
import type { NextraFolder } from './nextra-navigation.ts'
import { orderByNextraMeta } from './nextra-navigation.ts'
import { topPlace } from '../../pages/navigation-entry.ts'
import { relativeImports, syntaxOfExtension } from '../../flatten/page-dialect.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { parseJson } from '../../site-config/parse-json.ts'
import { prepareContainers, prepareHeadingMarks } from '../../flatten/prepare-containers.ts'
import { prepareMdx } from '../../flatten/prepare-mdx.ts'
import { readConfigCode } from '../../site-config/read-config-code.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import type { RoutedPage } from '../../routes/routed-page.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { filesBelow, findSiteRoot, inFolder } from '../../routes/site-roots.ts'
import { createLibrary } from '../../flatten/source-library.ts'
import { readText } from '../../trees/read-text.ts'
import { isPageFile } from '../../trees/source-path.ts'

const nextConfig = /^next\.config\.[mc]?[jt]s$/
const metaFile = /(?:^|\/)_meta(?:\.global)?(?:\.([\w-]+))?\.(?:json|[jt]sx?)$/
const contentFolders = ['content', 'src/content', 'app', 'src/app', 'pages', 'src/pages']

/** The folder of a Nextra project: the configuration of Next with a `_meta` file or a `theme.config` below. */
export function locateNextraSite(paths: ReadonlySet<string>): string | null {
  return (
    findSiteRoot(paths, nextConfig, (root) => hasMarks(paths, root)) ??
    findSiteRoot(paths, /^(?:src\/)?(?:content|pages)\/(?:.+\/)?_meta\.(?:json|[jt]sx?)$/)
  )
}

function hasMarks(paths: ReadonlySet<string>, root: string): boolean {
  for (const name of filesBelow(paths, root).keys()) {
    if (metaFile.test(name) || /^theme\.config\.[jt]sx?$/.test(name)) return true
  }
  return false
}

interface NextraConfig {
  base: string
  /** Put before the addresses of pages in `content`. */
  contentBase: string
  /** The default language first; empty for a site with one. */
  languages: string[]
}

interface NextraPage {
  file: string
  /** Below its content folder, without the mark of its language and without an extension. */
  name: string
  language: string | null
  path: string
}

/** Reads a Nextra site: every page, in the order of the `_meta` of each folder. */
export async function readNextraSite(reading: SiteReading, root: string): Promise<SiteContent> {
  const { tree, findings } = reading
  const config = await readConfig(reading, root)
  const folders = contentFolders.map((name) => inFolder(root, name))
  const sources = folders.map((folder) => ({ folder, pages: listPages(reading, folder, config) }))
  const routes = new Map(sources.flatMap(({ pages }) => pages.map(({ file, path }) => [file, path] as const)))
  const library = createLibrary(tree, new Map(), findings, {
    name: 'nextra',
    syntaxOf: syntaxOfExtension,
    prepare: (body, { syntax, variables }) => {
      const prepared = prepareContainers(prepareHeadingMarks(body))
      return syntax === 'mdx' ? prepareMdx(prepared, variables) : prepared
    },
    ...relativeImports,
    resolveLink: createRouteLinks({
      routes,
      roots: folders.map((folder) => `${folder}/`),
      base: config.base,
      hasTrailingSlash: false,
    }),
  })
  const pages: RoutedPage[] = []
  for (const source of sources) pages.push(...(await routePages(reading, config, source, library)))
  return {
    format: 'nextra',
    name: '',
    description: '',
    defaultVersion: null,
    defaultLanguage: config.languages[0] ?? null,
    basePath: joinRoute(config.base, config.contentBase),
    pages: await readRoutedPages(reading, library, { pages, anchorStyle: 'github' }),
    findings: findings.list(),
  }
}

function listPages({ tree }: SiteReading, folder: string, config: NextraConfig): NextraPage[] {
  const isApp = /(?:^|\/)app$/.test(folder)
  return [...filesBelow(tree.paths, folder)].flatMap(([written, file]): NextraPage[] => {
    // Below `app` only files named `page` are pages; names in brackets are filled by code.
    if (!isPageFile(written) || (isApp && !/(?:^|\/)page\.mdx?$/.test(written)) || /[[\]]|(?:^|\/)[_.]/.test(written))
      return []
    const { name, language } = splitLanguage(written.replace(/\.mdx?$/i, ''), config)
    const bare = isApp ? name.replace(/(?:^|\/)page$/, '').replace(/\([^()]*\)(?:\/|$)/g, '') : name
    return [{ file, name, language, path: pathOf(bare, language, folder, config) }]
  })
}

function splitLanguage(name: string, { languages }: NextraConfig): { name: string; language: string | null } {
  const [first = ''] = name.split('/')
  if (languages.includes(first)) return { name: name.slice(first.length + 1) || 'index', language: first }
  const [, stem = '', suffix = ''] = /^(.+)\.([\w-]+)$/.exec(name) ?? []
  return languages.includes(suffix) ? { name: stem, language: suffix } : { name, language: languages[0] ?? null }
}

function pathOf(name: string, language: string | null, folder: string, config: NextraConfig): string {
  const { base, contentBase, languages } = config
  const inContent = /(?:^|\/)content$/.test(folder)
  // In `content` every language is part of the address; in `pages` the default one is not.
  const isBare = language === null || (!inContent && language === languages[0])
  return joinRoute(base, isBare ? '' : language, inContent ? contentBase : '', name.replace(/(^|\/)index$/, '$1'))
}

interface Source {
  folder: string
  pages: readonly NextraPage[]
}

async function routePages(
  reading: SiteReading,
  config: NextraConfig,
  { folder, pages }: Source,
  library: ReturnType<typeof createLibrary>,
): Promise<RoutedPage[]> {
  if (pages.length === 0) return []
  const heads = await readPageHeads(reading, library, pages)
  const routed: RoutedPage[] = []
  for (const language of config.languages.length === 0 ? [null] : config.languages) {
    const top = await buildFolders(
      reading,
      config,
      { folder, pages: pages.filter((page) => page.language === language) },
      language,
    )
    for (const { page, section, title, isInNavigation } of orderByNextraMeta(top, reading.findings)) {
      const head = heads.get(page.file)
      if (head === undefined || head.isDraft) continue
      const place = { ...topPlace, section, language }
      routed.push({ file: page.file, path: page.path, place, title, isInNavigation, isSearchable: head.isSearchable })
    }
  }
  return routed
}

async function buildFolders(
  reading: SiteReading,
  config: NextraConfig,
  { folder, pages }: Source,
  language: string | null,
): Promise<NextraFolder<NextraPage>> {
  const isApp = /(?:^|\/)app$/.test(folder)
  const top: NextraFolder<NextraPage> = { pages: new Map(), folders: new Map(), meta: undefined, name: '' }
  for (const page of pages) {
    const segments = page.name.split('/')
    const last = segments.pop() ?? ''
    // `app/guide/page.mdx` is the page `guide` of the folder above.
    const name = isApp ? (segments.pop() ?? 'index') : last
    enterFolders(top, segments).pages.set(name, page)
  }
  for (const [name, file] of filesBelow(reading.tree.paths, folder)) {
    const [match, suffix] = metaFile.exec(name) ?? []
    if (match === undefined) continue
    const inner = name.split('/').slice(0, -1)
    const ofFolder = config.languages.includes(inner[0] ?? '') ? inner.shift() : undefined
    if ((suffix ?? ofFolder ?? language) !== language) continue
    const target = enterFolders(top, inner)
    target.meta ??= await readMeta(reading, file)
  }
  return top
}

function enterFolders(top: NextraFolder<NextraPage>, segments: readonly string[]): NextraFolder<NextraPage> {
  return segments.reduce((folder, name) => {
    const next: NextraFolder<NextraPage> = folder.folders.get(name) ?? {
      pages: new Map(),
      folders: new Map(),
      meta: undefined,
      name,
    }
    folder.folders.set(name, next)
    return next
  }, top)
}

async function readMeta({ tree, findings }: SiteReading, file: string): Promise<ConfigValue> {
  if (file.endsWith('.json')) {
    const text = await readText({ tree, findings }, file)
    return text === null ? undefined : (parseJson(text, file, findings) as ConfigValue) // JSON holds nothing else.
  }
  const code = await readConfigCode({ tree, findings, paths: new Set(tree.paths) }, file)
  return unwrapCall(code?.exported('default'))
}

async function readConfig({ tree, findings }: SiteReading, root: string): Promise<NextraConfig> {
  const file = [...filesBelow(tree.paths, root)].find(([name]) => nextConfig.test(name))?.[1]
  if (file === undefined) return { base: '/', contentBase: '', languages: [] }
  const code = await readConfigCode({ tree, findings, paths: new Set(tree.paths) }, file)
  const config = new ConfigFields(unwrapCall(code?.exported('default')), '', findings)
  const options = new ConfigFields(code?.callsOf('nextra')[0]?.[0], 'nextra', findings)
  const i18n = config.fields('i18n')
  const fallback = i18n.text('defaultLocale')
  const languages = i18n.texts('locales')
  return {
    base: joinRoute(config.text('basePath') ?? '/'),
    contentBase: options.text('contentDirBasePath') ?? '',
    languages: fallback === undefined ? languages : [fallback, ...languages.filter((name) => name !== fallback)],
  }
}

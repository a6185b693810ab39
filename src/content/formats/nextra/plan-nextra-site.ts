import { prepareMdxAfter, relativeImports, syntaxOfExtension } from '../../flatten/page-dialect.ts'
import { prepareContainers, prepareHeadingMarks } from '../../flatten/prepare-containers.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { createPageFolder, enterFolder, type PageFolder, readFolderMeta } from '../../routes/page-folders.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { defaultFirst } from '../../routes/site-locales.ts'
import { filesBelow, findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { ConfigFields } from '../../site-config/config-fields.ts'
import { unwrapCall } from '../../site-config/config-value.ts'
import { readConfigCode } from '../../site-config/read-config-code.ts'
import type { SiteReading } from '../../site-reading.ts'
import { isPageFile } from '../../trees/source-path.ts'
import type { SitePlan } from '../site-format.ts'
import { metaFile, nextConfig } from './nextra-format.ts'
import { orderByNextraMeta } from './nextra-navigation.ts'

const contentFolders = ['content', 'src/content', 'app', 'src/app', 'pages', 'src/pages']

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
export async function planNextraSite(reading: SiteReading, root: string): Promise<SitePlan> {
  const config = await readConfig(reading, root)
  const folders = contentFolders.map((name) => inFolder(root, name))
  const sources = folders.map((folder) => ({ folder, pages: listPages(reading, folder, config) }))
  const routes = new Map(sources.flatMap(({ pages }) => pages.map(({ file, path }) => [file, path] as const)))
  const pages: RoutedPage[] = []
  for (const source of sources) pages.push(...(await routePages(reading, config, source)))
  return {
    name: '',
    description: '',
    defaultVersion: null,
    defaultLanguage: config.languages[0] ?? null,
    basePath: joinRoute(config.base, config.contentBase),
    dialect: {
      name: 'nextra',
      anchorStyle: 'github',
      syntaxOf: syntaxOfExtension,
      prepare: prepareMdxAfter((body) => prepareContainers(prepareHeadingMarks(body))),
      ...relativeImports,
      resolveLink: createRouteLinks({
        routes,
        roots: folders.map((folder) => `${folder}/`),
        base: config.base,
        hasTrailingSlash: false,
      }),
    },
    readPages: (library) => readRoutedPages(reading, library, { pages }),
  }
}

function listPages({ paths }: SiteReading, folder: string, config: NextraConfig): NextraPage[] {
  const isApp = /(?:^|\/)app$/.test(folder)
  return [...filesBelow(paths, folder)].flatMap(([written, file]): NextraPage[] => {
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
  { languages }: NextraConfig,
  { folder, pages }: Source,
): Promise<RoutedPage[]> {
  if (pages.length === 0) return []
  const heads = await readPageHeads(
    reading,
    pages.map(({ file }) => file),
  )
  const routed: RoutedPage[] = []
  for (const language of languages.length === 0 ? [null] : languages) {
    const own = pages.filter((page) => page.language === language)
    const top = groupByFolder(folder, own)
    await readFolderMeta(reading, top, { folder, file: metaFile, languages, language })
    for (const { page, section, title, isInNavigation } of orderByNextraMeta(top, reading.findings)) {
      const { file, path } = page
      const head = heads.get(file)
      if (head === undefined || head.isDraft) continue
      routed.push({ file, path, section, language, title, isInNavigation, isSearchable: head.isSearchable })
    }
  }
  return routed
}

function groupByFolder(folder: string, pages: readonly NextraPage[]): PageFolder<NextraPage> {
  const isApp = /(?:^|\/)app$/.test(folder)
  const top = createPageFolder<NextraPage>()
  for (const page of pages) {
    const segments = page.name.split('/')
    const last = segments.pop() ?? ''
    // `app/guide/page.mdx` is the page `guide` of the folder above.
    const name = isApp ? (segments.pop() ?? 'index') : last
    enterFolder(top, segments).pages.set(name, page)
  }
  return top
}

async function readConfig(reading: SiteReading, root: string): Promise<NextraConfig> {
  const { findings } = reading
  const file = findFileBelow(reading.paths, root, nextConfig)
  if (file === undefined) return { base: '/', contentBase: '', languages: [] }
  const code = await readConfigCode(reading, file)
  const config = new ConfigFields(unwrapCall(code?.exported('default')), '', findings)
  const options = new ConfigFields(code?.callsOf('nextra')[0]?.[0], 'nextra', findings)
  const i18n = config.fields('i18n')
  return {
    base: joinRoute(config.text('basePath') ?? '/'),
    contentBase: options.text('contentDirBasePath') ?? '',
    languages: defaultFirst(i18n.texts('locales'), i18n.text('defaultLocale')),
  }
}

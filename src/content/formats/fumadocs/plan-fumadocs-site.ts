import { prepareMdxAfter, syntaxOfExtension } from '../../flatten/page-dialect.ts'
import { prepareContainers, prepareHeadingMarks } from '../../flatten/prepare-containers.ts'
import { OpenApiLibrary } from '../../openapi/openapi-library.ts'
import type { PageFile } from '../../pages/load-page.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { createPageFolder, getOrCreateFolder, type PageFolder, readFolderMeta } from '../../routes/page-folders.ts'
import { importsByPath, readPathAliases } from '../../routes/path-aliases.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { putDefaultFirst } from '../../routes/site-locales.ts'
import { filesBelow, findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { ConfigFields } from '../../site-config/config-fields.ts'
import { type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'
import { type ConfigCode, readConfigCode } from '../../site-config/read-config-code.ts'
import type { SiteReading } from '../../site-reading.ts'
import { isPageFile, resolveSourcePath } from '../../trees/source-path.ts'
import type { SitePlan } from '../site-format.ts'
import { configFile, metaFile } from './fumadocs-format.ts'
import { writeApiPages } from './fumadocs-api-pages.ts'
import { fumadocsIncludes } from './fumadocs-includes.ts'
import { orderByMeta } from './fumadocs-meta.ts'

const loaderFile = /^(?:src\/|app\/)?(?:lib\/)?source(?:\/index)?\.tsx?$/

const openapiFile = /^(?:src\/|app\/)?(?:lib\/)?openapi(?:\/index)?\.tsx?$/
const defaultFolder = 'content/docs'

interface FumadocsConfig {
  /** Folder of the pages in the tree. */
  folder: string
  base: string
  /** The default language first; empty for a site with one language. */
  languages: string[]
  hidesDefault: boolean
  /** Paths of API descriptions by the names that `createOpenAPI` gives them. */
  inputs: ReadonlyMap<string, string>
}

interface FumadocsPage {
  file: string
  name: string
  language: string | null
}

/** Reads a Fumadocs site: every page below the content folder, ordered by the `meta.json` of each folder. */
export async function planFumadocsSite(reading: SiteReading, root: string): Promise<SitePlan> {
  const config = await readConfig(reading, root)
  const aliases = await readPathAliases(reading, root)
  const files = listFiles(reading, config)
  const routes = new Map(files.map((page) => [page.file, pathOf(page, config)]))
  const pages = await routePages(reading, config, files)
  return {
    name: '',
    description: '',
    defaultVersion: null,
    defaultLanguage: config.languages[0] ?? null,
    basePath: config.base,
    routes,
    dialect: {
      name: JSON.stringify(['fumadocs', aliases.key]),
      anchorStyle: 'github',
      syntaxOf: syntaxOfExtension,
      prepare: prepareMdxAfter((body) => prepareContainers(prepareHeadingMarks(body))),
      ...importsByPath(reading.paths, aliases),
      resolveLink: createRouteLinks({ routes, roots: [], base: '/', hasTrailingSlash: false }),
    },
    readPages: (library) => {
      const context = { library, specs: new OpenApiLibrary(library, reading.isIgnored), root, inputs: config.inputs }
      const writeApi = (page: PageFile) => writeApiPages(context, page)
      return readRoutedPages(reading, library, { pages, includes: fumadocsIncludes(root), writeApi })
    },
  }
}

/** Dot files are parts of other pages. */
function listFiles({ paths }: SiteReading, { folder, languages }: FumadocsConfig): FumadocsPage[] {
  const files: FumadocsPage[] = []
  for (const [written, file] of filesBelow(paths, folder)) {
    if (!isPageFile(written) || /(?:^|\/)\./.test(written)) continue
    const [first = ''] = written.split('/')
    const suffix = /\.([\w-]+)\.mdx?$/.exec(written)?.[1] ?? ''
    const byFolder = languages.includes(first)
    const language = byFolder ? first : languages.includes(suffix) ? suffix : (languages[0] ?? null)
    const name = byFolder
      ? written.slice(first.length + 1)
      : languages.includes(suffix)
        ? written.replace(/\.[\w-]+(?=\.mdx?$)/, '')
        : written
    files.push({ file, name, language })
  }
  return files
}

/** Folders in parentheses group pages and do not occur in addresses. */
function pathOf({ name, language }: FumadocsPage, { base, languages, hidesDefault }: FumadocsConfig): string {
  const segments = name
    .replace(/\.mdx?$/i, '')
    .split('/')
    .filter((segment) => !/^\(.*\)$/.test(segment))
  if (segments.at(-1) === 'index') segments.pop()
  const isBare = language === null || (hidesDefault && language === languages[0])
  return joinRoute(isBare ? '' : language, base, ...segments)
}

async function routePages(
  reading: SiteReading,
  config: FumadocsConfig,
  files: readonly FumadocsPage[],
): Promise<RoutedPage[]> {
  const heads = await readPageHeads(
    reading,
    files.map(({ file }) => file),
  )
  const routed: RoutedPage[] = []
  for (const language of config.languages.length === 0 ? [null] : config.languages) {
    const own = files.filter((page) => page.language === language)
    const top = await buildFolders(reading, config, own)
    const placed = orderByMeta(top, {
      titleOfPage: ({ file }) => heads.get(file)?.title ?? null,
      findings: reading.findings,
    })
    for (const { page, section, isInNavigation } of placed) {
      const head = heads.get(page.file)
      if (head === undefined || head.isDraft) continue
      const { title, isSearchable } = head
      routed.push({
        file: page.file,
        path: pathOf(page, config),
        section,
        language,
        title,
        isInNavigation,
        isSearchable,
      })
    }
  }
  return routed
}

async function buildFolders(
  reading: SiteReading,
  { folder, languages }: FumadocsConfig,
  pages: readonly FumadocsPage[],
): Promise<PageFolder<FumadocsPage>> {
  const top = createPageFolder<FumadocsPage>()
  for (const page of pages) {
    const segments = page.name.replace(/\.mdx?$/i, '').split('/')
    const last = segments.pop() ?? ''
    getOrCreateFolder(top, segments).pages.set(last, page)
  }
  const language = pages[0]?.language ?? null
  await readFolderMeta(reading, top, { folder, file: metaFile, languages, language, prefersLanguage: true })
  return top
}

async function readConfig(reading: SiteReading, root: string): Promise<FumadocsConfig> {
  const { findings } = reading
  const codeOf = async (pattern: RegExp): Promise<ConfigCode | null> => {
    const file = findFileBelow(reading.paths, root, pattern)
    return file === undefined ? null : readConfigCode(reading, file)
  }
  const source = await codeOf(configFile)
  const loader = await codeOf(loaderFile)
  const i18n = await codeOf(/^(?:src\/|app\/)?(?:lib\/)?i18n\.tsx?$/)
  const folders = (source?.callsOf('defineDocs') ?? []).map(([options]) =>
    new ConfigFields(options, '', findings).text('dir'),
  )
  const folder = resolveSourcePath('', inFolder(root, folders[0] ?? defaultFolder)) ?? inFolder(root, defaultFolder)
  const bases = (loader?.callsOf('loader') ?? []).flatMap((inputs) => {
    return inputs.flatMap((input) => new ConfigFields(input, '', findings).text('baseUrl') ?? [])
  })
  const exported = i18n?.exported('i18n')
  const options = new ConfigFields(i18n?.callsOf('defineI18n')[0]?.[0] ?? exported, 'i18n', findings)
  return {
    folder,
    base: bases[0] ?? '/docs',
    languages: putDefaultFirst(options.texts('languages'), options.text('defaultLanguage')),
    hidesDefault: ['default-locale', 'always'].includes(options.text('hideLocale') ?? ''),
    inputs: readInputs((await codeOf(openapiFile))?.callsOf('createOpenAPI')[0]?.[0]),
  }
}

/** Descriptions in a list go by their path; those that code loads have no path. */
function readInputs(options: ConfigValue): Map<string, string> {
  const input = isConfigObject(options) ? options['input'] : undefined
  const named = isConfigObject(input) ? Object.entries(input) : []
  return new Map(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

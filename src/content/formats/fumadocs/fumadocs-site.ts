import type { ConfigCode } from '../../site-config/read-config-code.ts'
import { ConfigFields } from '../../site-config/config-fields.ts'
import type { ConfigValue } from '../../site-config/config-value.ts'
import { expandIncludes } from '../../flatten/expand-includes.ts'
import { fumadocsIncludes, joinIncludeLines } from './fumadocs-includes.ts'
import type { FumadocsFolder } from './fumadocs-meta.ts'
import { orderByMeta } from './fumadocs-meta.ts'
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
import { isPageFile, resolveSourcePath } from '../../trees/source-path.ts'

const sourceConfig = /^source\.config\.[mc]?[jt]s$/
const loaderFile = /^(?:src\/|app\/)?(?:lib\/)?source(?:\/index)?\.tsx?$/
const defaultFolder = 'content/docs'

/** The folder of a Fumadocs project: `source.config`, or `content/docs` with a `meta.json` or MDX in it. */
export function locateFumadocsSite(paths: ReadonlySet<string>): string | null {
  return findSiteRoot(paths, sourceConfig) ?? findSiteRoot(paths, /^content\/docs\/(?:.+\/)?meta\.json$/)
}

interface FumadocsConfig {
  /** The folder of the pages in the tree. */
  folder: string
  base: string
  /** The language of addresses without one first; empty for a site with one language. */
  languages: string[]
  hidesDefault: boolean
}

interface FumadocsPage {
  file: string
  name: string
  language: string | null
}

/** Reads a Fumadocs site: every page below the content folder, in the order of the `meta.json` of each folder. */
export async function readFumadocsSite(reading: SiteReading, root: string): Promise<SiteContent> {
  const { tree, findings } = reading
  const config = await readConfig(reading, root)
  const files = listFiles(reading, config)
  const routes = new Map(files.map((page) => [page.file, pathOf(page, config)]))
  const library = createLibrary(tree, new Map(), findings, {
    name: 'fumadocs',
    syntaxOf: syntaxOfExtension,
    prepare: (body, { syntax, variables }) => {
      const prepared = prepareContainers(prepareHeadingMarks(body))
      return syntax === 'mdx' ? prepareMdx(prepared, variables) : prepared
    },
    ...relativeImports,
    resolveLink: createRouteLinks({ routes, roots: [], base: '/', hasTrailingSlash: false }),
  })
  const pages = await routePages(reading, config, files, library)
  const includes = fumadocsIncludes(root)
  return {
    format: 'fumadocs',
    name: '',
    description: '',
    defaultVersion: null,
    defaultLanguage: config.languages[0] ?? null,
    basePath: config.base,
    pages: await readRoutedPages(reading, library, {
      pages,
      anchorStyle: 'github',
      expand: (page) => expandIncludes(library, { file: page.file, body: joinIncludeLines(page.body) }, includes),
    }),
    findings: findings.list(),
  }
}

/** Files that begin with a dot are parts of others. */
function listFiles({ tree }: SiteReading, { folder, languages }: FumadocsConfig): FumadocsPage[] {
  const files: FumadocsPage[] = []
  for (const [written, file] of filesBelow(tree.paths, folder)) {
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

/** Folders in parentheses group pages without being part of their addresses. */
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
  library: ReturnType<typeof createLibrary>,
): Promise<RoutedPage[]> {
  const heads = await readPageHeads(reading, library, files)
  const languages = config.languages.length === 0 ? [null] : config.languages
  const routed: RoutedPage[] = []
  for (const language of languages) {
    const own = files.filter((page) => page.language === language)
    const top = await buildFolders(reading, config, own)
    for (const { page, section, isInNavigation } of orderByMeta(top, {
      titleOfPage: ({ file }) => heads.get(file)?.title ?? null,
      findings: reading.findings,
    })) {
      const head = heads.get(page.file)
      if (head === undefined || head.isDraft) continue
      routed.push({
        file: page.file,
        path: pathOf(page, config),
        place: { ...topPlace, section, language },
        title: head.title,
        isInNavigation,
        isSearchable: head.isSearchable,
      })
    }
  }
  return routed
}

async function buildFolders(
  reading: SiteReading,
  { folder, languages }: FumadocsConfig,
  pages: readonly FumadocsPage[],
): Promise<FumadocsFolder<FumadocsPage>> {
  const top: FumadocsFolder<FumadocsPage> = {
    pages: new Map(),
    folders: new Map(),
    meta: undefined,
    metaFile: '',
    name: '',
  }
  for (const page of pages) {
    const segments = page.name.replace(/\.mdx?$/i, '').split('/')
    const last = segments.pop() ?? ''
    enterFolders(top, segments).pages.set(last, page)
  }
  const language = pages[0]?.language ?? null
  for (const [name, file] of filesBelow(reading.tree.paths, folder)) {
    const [match, inner = '', suffix] = /^(?:(.+)\/)?meta(?:\.([\w-]+))?\.json$/.exec(name) ?? []
    if (match === undefined) continue
    const [first = ''] = inner.split('/')
    const ofFolder = languages.includes(first) ? first : null
    if ((suffix ?? ofFolder ?? language) !== language) continue
    const segments = (ofFolder === null ? inner : inner.slice(first.length + 1))
      .split('/')
      .filter((part) => part !== '')
    const text = await readText({ tree: reading.tree, findings: reading.findings }, file)
    const target = enterFolders(top, segments)
    // The file of the language itself comes before the one for all.
    if (text === null || (target.meta !== undefined && suffix === undefined)) continue
    target.meta = parseJson(text, file, reading.findings) as ConfigValue // JSON holds nothing else.
    target.metaFile = file
  }
  return top
}

function enterFolders(top: FumadocsFolder<FumadocsPage>, segments: readonly string[]): FumadocsFolder<FumadocsPage> {
  return segments.reduce((folder, name) => {
    const next = folder.folders.get(name) ?? {
      pages: new Map(),
      folders: new Map(),
      meta: undefined,
      metaFile: '',
      name,
    }
    folder.folders.set(name, next)
    return next
  }, top)
}

async function readConfig(reading: SiteReading, root: string): Promise<FumadocsConfig> {
  const { tree, findings } = reading
  const library = { tree, findings, paths: new Set(tree.paths) }
  const below = [...filesBelow(tree.paths, root)]
  const codeOf = async (pattern: RegExp): Promise<ConfigCode | null> => {
    const file = below.find(([name]) => pattern.test(name))?.[1]
    return file === undefined ? null : readConfigCode(library, file)
  }
  const source = await codeOf(sourceConfig)
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
  const fallback = options.text('defaultLanguage')
  const languages = options.texts('languages')
  return {
    folder,
    base: bases[0] ?? '/docs',
    languages:
      fallback === undefined ? languages : [fallback, ...languages.filter((language) => language !== fallback)],
    hidesDefault: ['default-locale', 'always'].includes(options.text('hideLocale') ?? ''),
  }
}

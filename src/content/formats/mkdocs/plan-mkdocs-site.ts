import { noImports } from '../../flatten/page-dialect.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'
import { substituteVariables } from '../../flatten/prepare-mdx.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { filesBelow } from '../../routes/site-roots.ts'
import type { SiteReading } from '../../site-reading.ts'
import { matchGlobs } from '../../trees/match-globs.ts'
import type { SitePlan } from '../site-format.ts'
import { createMkdocsBlog, type MkdocsBlog } from './mkdocs-blog.ts'
import { type MkdocsConfig, readMkdocsConfig } from './mkdocs-config.ts'
import { mkdocsIncludes } from './mkdocs-includes.ts'
import { readMkdocsNavigation } from './mkdocs-navigation.ts'
import { preparePythonMarkdown } from './prepare-python-markdown.ts'

interface MkdocsFile {
  /** Path below the folder of the pages as used in the navigation, without language marker. */
  name: string
  file: string
  language: string | null
  path: string
}

/** Reads a MkDocs site: the pages of `nav` in order, then the others, which the site publishes and indexes as well. */
export async function planMkdocsSite(reading: SiteReading, root: string): Promise<SitePlan> {
  const config = await readMkdocsConfig(reading, root)
  const blog = config.blog === null ? null : createMkdocsBlog(reading, config.blog)
  const listed = listFiles(reading, config)
  const files = blog === null ? listed : await addressPosts(listed, blog, config)
  const routes = new Map(files.map(({ file, path }) => [file, path]))
  const pages = await routePages(reading, config, files)
  const includes = mkdocsIncludes(reading.paths, config.includes)
  return {
    name: config.name,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: config.languages?.locales[0] ?? null,
    basePath: config.base,
    variables: config.variables ?? new Map<string, string>(),
    routes,
    redirects: [...config.redirects].map(([from, destination]) => ({
      source: pathOf(from, null, config),
      destination: placeDestination(destination, config),
    })),
    unread: blog?.lists.map((pattern) => joinRoute(config.base, pattern)) ?? [],
    dialect: {
      name: JSON.stringify(['mkdocs', config.anchorStyle, config.variables !== null, [...config.extensions].sort()]),
      anchorStyle: config.anchorStyle,
      syntaxOf: () => 'markdown',
      hasTemplates: config.variables !== null,
      // A plugin provides forge-style callouts. Three colons are not containers here.
      prepare: (body, { variables }) =>
        preparePythonMarkdown(
          prepareAlerts(config.variables === null ? body : fillMacros(body, variables)),
          config.extensions,
        ),
      ...noImports,
      resolveLink: createRouteLinks({ routes, roots: [`${config.folder}/`], base: '/', hasTrailingSlash: false }),
    },
    readPages: (library) => readRoutedPages(reading, library, { pages, prefersNavigationTitle: true, includes }),
  }
}

function prepareAlerts(body: string): string {
  return !body.includes('[!') || body.includes(':::') ? body : prepareContainers(body)
}

const statement =
  /\{%-?[ \t]*(?:(?:end)?(?:raw|if|for|call|filter|macro)|el(?:se|if)|set|import|from)\b[^%\n]{0,500}%\}/g

/** Statements of the macros plugin are dropped, and what they enclose is kept; other expressions stay as written. */
function fillMacros(body: string, variables: ReadonlyMap<string, string>): string {
  return substituteVariables(body, variables).replace(statement, '')
}

function listFiles({ paths }: SiteReading, config: MkdocsConfig): MkdocsFile[] {
  const isExcluded = matchGlobs(['.*', '/templates/', ...config.excluded])
  const below = filesBelow(paths, config.folder)
  const files: MkdocsFile[] = []
  for (const [written, file] of below) {
    if (!/\.(?:md|markdown)$/i.test(written) || isExcluded(written)) continue
    const { name, language } = splitLanguage(written, config)
    // If both exist, the index is the folder's page.
    if (/(?:^|\/)README\.md$/.test(name) && below.has(written.replace(/README\.md$/, 'index.md'))) continue
    files.push({ name, file, language, path: pathOf(name, language, config) })
  }
  return files
}

/** Posts without a date are not published. */
async function addressPosts(
  files: readonly MkdocsFile[],
  blog: MkdocsBlog,
  { base }: MkdocsConfig,
): Promise<MkdocsFile[]> {
  const found: MkdocsFile[] = []
  for (const file of files) {
    const route = blog.isPost(file.name) ? await blog.routeOf(file.file) : file.path
    if (route !== null) found.push(route === file.path ? file : { ...file, path: joinRoute(base, route) })
  }
  return found
}

function splitLanguage(name: string, { languages }: MkdocsConfig): { name: string; language: string | null } {
  if (languages === null) return { name, language: null }
  const [fallback = null] = languages.locales
  const [, folder = '', rest = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? []
  if (languages.structure === 'folder')
    return languages.locales.includes(folder) ? { name: rest, language: folder } : { name, language: fallback }
  const [, stem = '', suffix = ''] = /^(.+)\.([\w-]+)\.md$/.exec(name) ?? []
  return languages.locales.includes(suffix) ? { name: `${stem}.md`, language: suffix } : { name, language: fallback }
}

/** The plugin names files, and addresses elsewhere as they are. */
function placeDestination(destination: string, config: MkdocsConfig): string {
  const [file = '', anchor] = destination.split('#')
  if (!/^[^:]*\.(?:md|markdown)$/i.test(file)) return destination
  return `${pathOf(file, null, config)}${anchor === undefined ? '' : `#${anchor}`}`
}

function pathOf(name: string, language: string | null, { base, languages }: MkdocsConfig): string {
  const bare = name.replace(/\.(?:md|markdown)$/i, '').replace(/(^|\/)(?:index|README)$/, '$1')
  const isDefault = language === null || language === languages?.locales[0]
  return joinRoute(base, isDefault ? '' : language, bare)
}

async function routePages(
  reading: SiteReading,
  config: MkdocsConfig,
  files: readonly MkdocsFile[],
): Promise<RoutedPage[]> {
  const heads = await readPageHeads(
    reading,
    files.map(({ file }) => file),
  )
  const byName = new Map(files.map(({ name, file }) => [name, file]))
  const navigated = await readMkdocsNavigation(reading, config, byName)
  const places = new Map(navigated.map((entry, order) => [entry.name, { ...entry, order }]))
  const orderOf = ({ name }: MkdocsFile) => places.get(name)?.order ?? places.size
  const sorted = files.toSorted((a, b) => orderOf(a) - orderOf(b) || (a.path < b.path ? -1 : 1))
  return sorted.flatMap(({ name, file, path, language }): RoutedPage[] => {
    const head = heads.get(file)
    if (head === undefined || head.isDraft) return []
    const place = places.get(name)
    return [
      {
        file,
        path,
        section: place?.section ?? [],
        language,
        title: place?.title ?? null,
        isInNavigation: place !== undefined,
        isSearchable: head.isSearchable,
      },
    ]
  })
}

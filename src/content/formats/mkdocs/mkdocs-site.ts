import { expandIncludes } from '../../flatten/expand-includes.ts'
import { matchGlobs } from '../../trees/match-globs.ts'
import type { MkdocsConfig } from './mkdocs-config.ts'
import { mkdocsConfigFile, readMkdocsConfig } from './mkdocs-config.ts'
import { mkdocsIncludes } from './mkdocs-includes.ts'
import { readMkdocsNavigation } from './mkdocs-navigation.ts'
import { topPlace } from '../../pages/navigation-entry.ts'
import { noImports } from '../../flatten/page-dialect.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { preparePythonMarkdown } from './prepare-python-markdown.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import type { RoutedPage } from '../../routes/routed-page.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { filesBelow, findSiteRoot } from '../../routes/site-roots.ts'
import { createLibrary } from '../../flatten/source-library.ts'

/** The folder that holds `mkdocs.yml`. */
export function locateMkdocsSite(paths: ReadonlySet<string>): string | null {
  return findSiteRoot(paths, mkdocsConfigFile)
}

interface MkdocsFile {
  /** The path below the folder of the pages, as the navigation names it: without the mark of a language. */
  name: string
  file: string
  language: string | null
  path: string
}

/** Reads a MkDocs site: the pages of `nav` in its order, and those beside it, which the site publishes and finds as well. */
export async function readMkdocsSite(reading: SiteReading, root: string): Promise<SiteContent> {
  const { tree, findings } = reading
  const config = await readMkdocsConfig(reading, root)
  const files = listFiles(reading, config)
  const routes = new Map(files.map(({ file, path }) => [file, path]))
  const library = createLibrary(tree, new Map(), findings, {
    name: 'mkdocs',
    syntaxOf: () => 'markdown',
    // Callouts as forges have them come by a plugin. Three colons are no container here.
    prepare: (body) => preparePythonMarkdown(body.includes('[!') ? prepareAlerts(body) : body),
    ...noImports,
    resolveLink: createRouteLinks({ routes, roots: [`${config.folder}/`], base: '/', hasTrailingSlash: false }),
  })
  const pages = await routePages(reading, config, files, library)
  const includes = mkdocsIncludes(library.paths, config.includeFolders)
  return {
    format: 'mkdocs',
    name: config.name,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: config.languages?.locales[0] ?? null,
    basePath: config.base,
    pages: await readRoutedPages(reading, library, {
      pages,
      anchorStyle: 'mkdocs',
      prefersNavigationTitle: true,
      expand: (page) => expandIncludes(library, page, includes),
    }),
    findings: findings.list(),
  }
}

function prepareAlerts(body: string): string {
  return body.includes(':::') ? body : prepareContainers(body)
}

function listFiles({ tree }: SiteReading, config: MkdocsConfig): MkdocsFile[] {
  const isExcluded = matchGlobs(['.*', '/templates/', ...config.excluded])
  const below = filesBelow(tree.paths, config.folder)
  const files: MkdocsFile[] = []
  for (const [written, file] of below) {
    if (!/\.(?:md|markdown)$/i.test(written) || isExcluded(written)) continue
    const { name, language } = splitLanguage(written, config)
    // Of both, the index is the page of the folder.
    if (/(?:^|\/)README\.md$/.test(name) && below.has(written.replace(/README\.md$/, 'index.md'))) continue
    files.push({ name, file, language, path: pathOf(name, language, config) })
  }
  return files
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

function pathOf(name: string, language: string | null, { base, languages }: MkdocsConfig): string {
  const bare = name.replace(/\.(?:md|markdown)$/i, '').replace(/(^|\/)(?:index|README)$/, '$1')
  const isDefault = language === null || language === languages?.locales[0]
  return joinRoute(base, isDefault ? '' : language, bare)
}

async function routePages(
  reading: SiteReading,
  config: MkdocsConfig,
  files: readonly MkdocsFile[],
  library: ReturnType<typeof createLibrary>,
): Promise<RoutedPage[]> {
  const heads = await readPageHeads(reading, library, files)
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
        place: { ...topPlace, section: place?.section ?? [], language },
        title: place?.title ?? null,
        isInNavigation: place !== undefined,
        isSearchable: head.isSearchable,
      },
    ]
  })
}

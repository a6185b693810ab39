import { slug } from 'github-slugger'
import { ConfigFields } from '../../site-config/config-fields.ts'
import type { ConfigValue } from '../../site-config/config-value.ts'
import { ComputedValue, isConfigObject, unwrapCall } from '../../site-config/config-value.ts'
import { topPlace } from '../../pages/navigation-entry.ts'
import type { PageHead } from '../../pages/page-head.ts'
import { readPageHeads } from '../../pages/page-head.ts'
import { relativeImports, syntaxOfExtension } from '../../flatten/page-dialect.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'
import { prepareMdx } from '../../flatten/prepare-mdx.ts'
import { readConfigCode } from '../../site-config/read-config-code.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import type { RoutedPage } from '../../routes/routed-page.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteLocales } from '../../routes/site-locales.ts'
import { localeFolderOf, readLocales } from '../../routes/site-locales.ts'
import type { SiteReading } from '../../site-reading.ts'
import { filesBelow, findSiteRoot, inFolder } from '../../routes/site-roots.ts'
import { createLibrary } from '../../flatten/source-library.ts'
import { isPageFile } from '../../trees/source-path.ts'
import type { StarlightPage } from './starlight-sidebar.ts'
import { orderBySidebar } from './starlight-sidebar.ts'

const contentFolder = 'src/content/docs'
const configFile = /^astro\.config\.(?:[mc]?js|[mc]?ts)$/

/** The folder of a Starlight project: Astro's configuration beside `src/content/docs`. */
export function locateStarlightSite(paths: ReadonlySet<string>): string | null {
  return findSiteRoot(paths, configFile, (root) => {
    const prefix = `${inFolder(root, contentFolder)}/`
    for (const path of paths) if (path.startsWith(prefix)) return true
    return false
  })
}

interface StarlightConfig {
  title: string
  description: string
  base: string
  locales: SiteLocales
  sidebar: ConfigValue
}

/** Reads a Starlight site. Every page belongs to it, drafts and `404` aside; the sidebar orders and groups them. */
export async function readStarlightSite(reading: SiteReading, root: string): Promise<SiteContent> {
  const { tree, findings } = reading
  const config = await readConfig(reading, root)
  const files = filesBelow(tree.paths, inFolder(root, contentFolder))
  const links = new Map<string, string>()
  const library = createLibrary(tree, new Map(), findings, {
    name: 'starlight',
    syntaxOf: syntaxOfExtension,
    prepare: (body, { syntax, variables }) => {
      const prepared = prepareContainers(body)
      return syntax === 'mdx' ? prepareMdx(prepared, variables) : prepared
    },
    ...relativeImports,
    // Routes are known only once the heads of the pages are read.
    resolveLink: (url, from) => resolve(url, from),
  })
  const pageFiles = [...files].filter(([name]) => isPageFile(name) && !/(?:^|\/)_[^/]*$/.test(name))
  const heads = await readPageHeads(
    reading,
    library,
    pageFiles.map(([, file]) => ({ file })),
  )
  const pages: StarlightPage[] = []
  for (const [name, file] of pageFiles) {
    const head = heads.get(file)
    if (head === undefined || head.isDraft) continue
    const page = toPage(name, file, head, config)
    links.set(file, joinRoute(config.base, page.id))
    if (!/(?:^|\/)404$/.test(page.id)) pages.push(page)
  }
  const resolve = createRouteLinks({ routes: links, roots: [''], base: '/', hasTrailingSlash: true })
  const routed = orderBySidebar(pages, config, findings).map((entry): RoutedPage => ({
    file: entry.page.file,
    path: joinRoute(config.base, entry.page.id),
    place: { ...topPlace, section: entry.section, language: config.locales.byFolder.get(entry.page.locale) ?? null },
    title: entry.page.head.title,
    isInNavigation: entry.isInNavigation,
    isSearchable: entry.page.head.isSearchable,
  }))
  return {
    format: 'starlight',
    name: config.title,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: config.locales.defaultLanguage,
    basePath: joinRoute(config.base),
    pages: await readRoutedPages(reading, library, { pages: routed, anchorStyle: 'github' }),
    findings: findings.list(),
  }
}

function toPage(name: string, file: string, head: PageHead, { locales }: StarlightConfig): StarlightPage {
  const own = head.slug?.replace(/^\/+|\/+$/g, '')
  const segments = name.replace(/\.mdx?$/i, '').split('/')
  if (segments.at(-1) === 'index') segments.pop()
  const id = own ?? segments.map((segment) => slug(segment)).join('/')
  const locale = localeFolderOf(id, locales)
  return { id, file, head, locale, name: id.slice(locale === '' ? 0 : locale.length + 1) }
}

async function readConfig(reading: SiteReading, root: string): Promise<StarlightConfig> {
  const { tree, findings } = reading
  const paths = new Set(tree.paths)
  const file = [...filesBelow(paths, root)].find(([name]) => configFile.test(name))?.[1] ?? ''
  const code = await readConfigCode({ tree, findings, paths }, file)
  const astro = new ConfigFields(unwrapCall(code?.exported('default')), '', findings)
  const integration = findIntegration(astro.list('integrations'))
  if (integration === null) {
    const message =
      'The configuration does not call starlight() among its integrations in a way that can be read without running it, so the pages are taken in the order of their paths.'
    findings.add({ file, line: null, rule: 'config-not-literal', message })
  }
  const options = new ConfigFields(integration ?? undefined, '', findings)
  const title = options.get('title')
  const defaultLocale = options.text('defaultLocale') ?? null
  return {
    title: typeof title === 'string' ? title : firstText(title),
    description: options.text('description') ?? '',
    base: astro.text('base') ?? '/',
    locales: readLocales(options.fields('locales'), defaultLocale),
    sidebar: options.get('sidebar'),
  }
}

/** A title may be given by language. */
function firstText(value: ConfigValue): string {
  const texts = isConfigObject(value) ? Object.values(value).filter((text) => typeof text === 'string') : []
  return texts[0] ?? ''
}

function findIntegration(integrations: readonly ConfigValue[]): ConfigValue | null {
  const call = integrations.flat().find((item) => item instanceof ComputedValue && /starlight/i.test(item.callee))
  return call instanceof ComputedValue ? (call.inputs[0] ?? null) : null
}

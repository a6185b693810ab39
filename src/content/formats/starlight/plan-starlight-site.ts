import { slug } from 'github-slugger'
import { prepareMdxAfter, syntaxOfExtension } from '../../flatten/page-dialect.ts'
import { prepareContainers } from '../../flatten/prepare-containers.ts'
import type { Redirect } from '../../links/redirect.ts'
import { type PageHead, readPageHeads } from '../../pages/page-head.ts'
import { importsByPath, readPathAliases } from '../../routes/path-aliases.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { localeFolderOf, readLocales, type SiteLocales } from '../../routes/site-locales.ts'
import { filesBelow, findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { ConfigFields } from '../../site-config/config-fields.ts'
import { ComputedValue, type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'
import { readConfigFile } from '../../site-config/read-config-file.ts'
import type { SiteReading } from '../../site-reading.ts'
import { isPageFile } from '../../trees/source-path.ts'
import type { SitePlan } from '../site-format.ts'
import { configFile, contentFolder } from './starlight-format.ts'
import { orderBySidebar, type StarlightPage } from './starlight-sidebar.ts'

interface StarlightConfig {
  title: string
  description: string
  base: string
  locales: SiteLocales
  sidebar: ConfigValue
  redirects: Redirect[]
}

/** Reads a Starlight site. All pages except drafts and `404` belong to it; the sidebar orders and groups them. */
export async function planStarlightSite(reading: SiteReading, root: string): Promise<SitePlan> {
  const config = await readConfig(reading, root)
  const aliases = await readPathAliases(reading, root)
  const pages = await listPages(reading, root, config)
  const addressOf = ({ id }: StarlightPage) => joinRoute(config.base, id)
  const routes = new Map(pages.map((page) => [page.file, addressOf(page)]))
  const shown = pages.filter(({ id }) => !/(?:^|\/)404$/.test(id))
  const routed = orderBySidebar(shown, config, reading.findings).map(
    ({ page, section, isInNavigation }): RoutedPage => ({
      file: page.file,
      path: addressOf(page),
      section,
      language: config.locales.byFolder.get(page.locale) ?? null,
      title: page.head.title,
      isInNavigation,
      isSearchable: page.head.isSearchable,
    }),
  )
  return {
    name: config.title,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: config.locales.defaultLanguage,
    basePath: joinRoute(config.base),
    routes,
    redirects: config.redirects,
    dialect: {
      name: JSON.stringify(['starlight', aliases.key]),
      anchorStyle: 'github',
      syntaxOf: syntaxOfExtension,
      prepare: prepareMdxAfter(prepareContainers),
      ...importsByPath(reading.paths, aliases),
      resolveLink: createRouteLinks({
        routes,
        roots: [''],
        base: '/',
        hasTrailingSlash: true,
      }),
    },
    readPages: (library) => readRoutedPages(reading, library, { pages: routed }),
  }
}

async function listPages(reading: SiteReading, root: string, config: StarlightConfig): Promise<StarlightPage[]> {
  const files = [...filesBelow(reading.paths, inFolder(root, contentFolder))].filter(([name]) => {
    return isPageFile(name) && !/(?:^|\/)_[^/]*$/.test(name)
  })
  const heads = await readPageHeads(reading, new Map(files).values())
  return files.flatMap(([name, file]) => {
    const head = heads.get(file)
    return head === undefined || head.isDraft ? [] : [toPage(name, file, head, config)]
  })
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
  const { paths, findings } = reading
  const file = findFileBelow(paths, root, configFile) ?? ''
  const astro = new ConfigFields(await readConfigFile(reading, file), '', findings)
  const integration = findIntegration(astro.list('integrations'))
  if (integration === null) {
    const message =
      'The configuration does not call starlight() among its integrations in a way that can be read without running it, so pages are ordered by path.'
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
    redirects: readRedirects(astro),
  }
}

/** `/old/[...rest]` is a pattern. */
function readRedirects(astro: ConfigFields): Redirect[] {
  const redirects = astro.fields('redirects')
  return redirects.keys().map((key) => ({
    source: key.replace(/\[\.{3}[^\]]*\]/g, '*').replace(/\[([^\]]*)\]/g, ':$1'),
    destination: redirects.text(key) ?? '',
  }))
}

/** A title may be given per language. */
function firstText(value: ConfigValue): string {
  const texts = isConfigObject(value) ? Object.values(value).filter((text) => typeof text === 'string') : []
  return texts[0] ?? ''
}

function findIntegration(integrations: readonly ConfigValue[]): ConfigValue | null {
  const call = integrations.flat().find((item) => item instanceof ComputedValue && /starlight/i.test(item.callee))
  return call instanceof ComputedValue ? (call.inputs[0] ?? null) : null
}

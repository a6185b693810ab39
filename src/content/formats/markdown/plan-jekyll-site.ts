import type { PageDialect } from '../../flatten/page-dialect.ts'
import { fieldsOf } from '../../pages/page-head.ts'
import { loadPageFile } from '../../pages/load-page.ts'
import type { Redirect } from '../../links/redirect.ts'
import { createRouteLinks } from '../../routes/route-links.ts'
import { joinRoute, type RoutedPage } from '../../routes/routed-page.ts'
import { readRoutedPages } from '../../routes/routed-site.ts'
import { ConfigFields } from '../../site-config/config-fields.ts'
import { isConfigObject } from '../../site-config/config-value.ts'
import { parseYamlConfig } from '../../site-config/parse-yaml-config.ts'
import type { SiteReading } from '../../site-reading.ts'
import { matchGlobs } from '../../trees/match-globs.ts'
import { readText } from '../../trees/read-text.ts'
import type { SitePlan } from '../site-format.ts'

const configFile = '_config.yml'
const pageFile = /\.(?:md|markdown|mkdn?|mdx)$/i
const datedPost = /^(\d{4})-(\d{1,2})-(\d{1,2})-(.+)$/
const postAddress = '/:categories/:year/:month/:day/:title'

/** Whether a folder of Markdown is built by Jekyll. */
export function isJekyllSite({ paths }: SiteReading): boolean {
  return paths.has(configFile)
}

interface Collection {
  /** Template of its addresses. */
  permalink: string
}

interface JekyllConfig {
  title: string
  description: string
  base: string
  /** Published ones by name. */
  collections: ReadonlyMap<string, Collection>
  isExcluded: (path: string) => boolean
}

/**
 * Reads a site of Jekyll: pages and the documents of published collections, at their permalinks. Drafts, other folders
 * that begin with an underscore, and `published: false` are not part of the site.
 */
export async function planJekyllSite(reading: SiteReading, dialect: PageDialect): Promise<SitePlan> {
  const config = await readConfig(reading)
  const { pages, redirects } = await listPages(reading, config)
  const routes = new Map(pages.map(({ file, path }) => [file, path]))
  const { base } = config
  const resolveLink = createRouteLinks({ routes, roots: ['', '_'], base, hasTrailingSlash: true })
  return {
    name: config.title,
    description: config.description,
    defaultVersion: null,
    defaultLanguage: null,
    basePath: base,
    routes,
    redirects,
    dialect: { ...dialect, resolveLink },
    readPages: (library) => readRoutedPages(reading, library, { pages }),
  }
}

async function readConfig(reading: SiteReading): Promise<JekyllConfig> {
  const { findings } = reading
  const text = (await readText(reading, configFile)) ?? ''
  const config = new ConfigFields(parseYamlConfig(text, configFile, findings), '', findings)
  const permalink = config.text('permalink') ?? ''
  const ofPosts = permalink.startsWith('/') ? permalink : postAddress
  const collections = new Map<string, Collection>([['posts', { permalink: ofPosts }]])
  const declared = config.get('collections')
  if (isConfigObject(declared)) {
    for (const name of Object.keys(declared)) {
      const options = config.fields('collections').fields(name)
      const own = options.text('permalink') ?? (name === 'posts' ? ofPosts : '/:collection/:path')
      if (options.flag('output') === true || name === 'posts') collections.set(name, { permalink: own })
    }
  }
  return {
    title: config.text('title') ?? '',
    description: config.text('description') ?? '',
    base: joinRoute(config.text('baseurl') ?? ''),
    collections,
    isExcluded: matchGlobs(config.texts('exclude')),
  }
}

async function listPages(
  reading: SiteReading,
  config: JekyllConfig,
): Promise<{ pages: RoutedPage[]; redirects: Redirect[] }> {
  const pages: RoutedPage[] = []
  const redirects: Redirect[] = []
  for (const file of reading.paths) {
    if (!pageFile.test(file) || config.isExcluded(file) || isLeftOut(reading, file)) continue
    const hidden = /(?:^|\/)[_.#~]([^/]+)(?=\/)/.exec(file)
    const collection = hidden === null ? null : config.collections.get(hidden[1] ?? '')
    if (collection === undefined || /(?:^|\/)[_.#~][^/]*$/.test(file)) continue
    const loaded = await loadPageFile(reading, file)
    if (loaded === null) continue
    const fields = fieldsOf(loaded.fields, reading)
    if (fields.flag('published') === false) continue
    const own = fields.text('permalink')
    const name = file.slice(hidden === null ? 0 : hidden.index + hidden[0].length + 1).replace(pageFile, '')
    const address =
      own ??
      (collection === null
        ? name.replace(/(^|\/)(?:index|README)$/, '$1')
        : fillTemplate(collection.permalink, { name, fields, collection: hidden?.[1] ?? '' }))
    const path = joinRoute(config.base, address.replace(/(?:\/index)?\.html$|:output_ext$/, ''))
    const former = fields.text('redirect_from') ?? fields.texts('redirect_from')
    redirects.push(...[former].flat().map((from) => ({ source: joinRoute(config.base, from), destination: path })))
    pages.push({
      file,
      path,
      section: [fields.text('grand_parent'), fields.text('parent')].filter((title) => title !== undefined),
      language: fields.text('lang') ?? null,
      title: null,
      isInNavigation: fields.flag('nav_exclude') !== true,
      isSearchable: fields.flag('search_exclude') !== true,
    })
  }
  return { pages: pages.sort((a, b) => (a.path < b.path ? -1 : 1)), redirects }
}

/** A README is the page of its folder if there is no other. */
function isLeftOut({ paths, isIgnored }: SiteReading, file: string): boolean {
  const index = file.replace(/(^|\/)README(?=\.md$)/, '$1index')
  return (
    isIgnored(index) ||
    (index !== file && ['md', 'html', 'markdown'].some((end) => paths.has(index.replace(/md$/, end))))
  )
}

function fillTemplate(
  template: string,
  { name, fields, collection }: { name: string; fields: ConfigFields; collection: string },
): string {
  const last = name.split('/').at(-1) ?? ''
  const [, year = '', month = '', day = '', words = last] = datedPost.exec(last) ?? []
  const slug = fields.text('slug') ?? words
  const category = fields.text('category') ?? fields.text('categories') ?? fields.texts('categories').join('/')
  const values = new Map(
    Object.entries({
      collection,
      path: name,
      name: last,
      title: slug,
      slug,
      categories: category.replaceAll(' ', '/').toLowerCase(),
      year,
      month: month.padStart(2, '0'),
      day: day.padStart(2, '0'),
      output_ext: '',
    }),
  )
  return template.replace(/:(\w+)/g, (_written, key: string) => values.get(key) ?? '')
}

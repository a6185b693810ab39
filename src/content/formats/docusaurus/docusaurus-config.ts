import { reportOutside } from '../../finding-list.ts'
import type { Redirect } from '../../links/redirect.ts'
import { joinRoute } from '../../routes/routed-page.ts'
import { findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { ConfigFields } from '../../site-config/config-fields.ts'
import { readConfigFile } from '../../site-config/read-config-file.ts'
import type { SiteReading } from '../../site-reading.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'
import { configFile } from './docusaurus-files.ts'

export interface DocusaurusConfig {
  file: string
  title: string
  tagline: string
  base: string
  defaultLocale: string
  locales: string[]
  /** More than one if plugins add instances with ids of their own. */
  instances: DocsInstance[]
  /** Whether `.md` is parsed as MDX (the default) or as Markdown. */
  isMarkdownMdx: boolean
  /** Null if the site has no blog. */
  blog: { folder: string; route: string } | null
  /** Routes of blogs, and of documentation outside the source. */
  unreadRoutes: string[]
  redirects: Redirect[]
}

export interface DocsInstance {
  /** `default` for the preset's instance. */
  id: string
  /** Folder of the current version in the tree. */
  folder: string
  route: string
  /** Whether the folder is outside the source, so that only released versions can be read. */
  isOutside: boolean
  sidebarFile: string | null
  excluded: string[]
  versions: DocsVersion[]
}

export interface DocsVersion {
  name: string
  /** As shown to readers; null on a site without versions. */
  label: string | null
  /** Below the route of the instance; `''` for the default version. */
  path: string
  isLast: boolean
}

const excludedByDefault = ['**/_*.{js,jsx,ts,tsx,md,mdx}', '**/_*/**', '**/*.test.{js,jsx,ts,tsx}', '**/__tests__/**']

/** Reads `docusaurus.config`: documentation instances of presets and plugins, their versions, and locales. */
export async function readDocusaurusConfig(reading: SiteReading, root: string): Promise<DocusaurusConfig> {
  const file = findFileBelow(reading.paths, root, configFile) ?? ''
  const config = new ConfigFields(await readConfigFile(reading, file), '', reading.findings)
  const i18n = config.fields('i18n')
  const blog = readBlog(config, root)
  const instances = await Promise.all(
    listDocsOptions(config).map((options) => readInstance(reading, file, root, options)),
  )
  return {
    file,
    title: config.text('title') ?? '',
    tagline: config.text('tagline') ?? '',
    base: joinRoute(config.text('baseUrl') ?? '/'),
    defaultLocale: i18n.text('defaultLocale') ?? 'en',
    locales: i18n.texts('locales'),
    instances,
    isMarkdownMdx: !['detect', 'md'].includes(config.fields('markdown').text('format') ?? 'mdx'),
    blog,
    unreadRoutes: [
      ...(blog === null ? [] : [blog.route]),
      ...listBlogPlugins(config),
      ...instances.flatMap(({ isOutside, route }) => (isOutside ? [route] : [])),
    ],
    redirects: readRedirects(config),
  }
}

interface NamedOptions {
  name: string
  options: ConfigFields
}

/** A preset or plugin is a name or a pair of name and options. */
function listModules(config: ConfigFields, key: 'presets' | 'plugins'): NamedOptions[] {
  return config.list(key).flatMap((entry): NamedOptions[] => {
    const [name, options] = Array.isArray(entry) ? entry : [entry, undefined]
    return typeof name === 'string' ? [{ name, options: config.within(options, key) }] : []
  })
}

function listDocsOptions(config: ConfigFields): ConfigFields[] {
  const ofPresets = listModules(config, 'presets').flatMap(({ name, options }) => {
    const isKnown = /(?:^|\/)(?:preset-)?classic$/.test(name) || options.has('docs')
    return isKnown && options.get('docs') !== false ? [options.fields('docs')] : []
  })
  const ofPlugins = listModules(config, 'plugins').filter(({ name }) => name.endsWith('content-docs'))
  return [...ofPresets, ...ofPlugins.map(({ options }) => options)]
}

function readBlog(config: ConfigFields, root: string): DocusaurusConfig['blog'] {
  for (const { name, options } of listModules(config, 'presets')) {
    if (!/(?:^|\/)(?:preset-)?classic$/.test(name) || options.get('blog') === false) continue
    const blog = options.fields('blog')
    const folder = resolveSourcePath(inFolder(root, 'x'), blog.text('path') ?? 'blog')
    return folder === null ? null : { folder, route: blog.text('routeBasePath') ?? 'blog' }
  }
  return null
}

function listBlogPlugins(config: ConfigFields): string[] {
  const plugins = listModules(config, 'plugins').filter(({ name }) => name.endsWith('content-blog'))
  return plugins.map(({ options }) => options.text('routeBasePath') ?? 'blog')
}

/** Those of the `client-redirects` plugin; `from` is one path or several. */
function readRedirects(config: ConfigFields): Redirect[] {
  const base = config.text('baseUrl') ?? '/'
  const plugins = listModules(config, 'plugins').filter(({ name }) => name.endsWith('client-redirects'))
  return plugins.flatMap(({ options }) =>
    options.list('redirects').flatMap((entry) => {
      const fields = options.within(entry)
      return fields
        .texts('from')
        .map((source) => ({ source: joinRoute(base, source), destination: fields.text('to') ?? '' }))
    }),
  )
}

async function readInstance(
  reading: SiteReading,
  file: string,
  root: string,
  options: ConfigFields,
): Promise<DocsInstance> {
  const id = options.text('id') ?? 'default'
  const path = options.text('path') ?? 'docs'
  const folder = resolveSourcePath(inFolder(root, 'x'), path)
  if (folder === null) reportOutside(reading.findings, file, path)
  const versions = await readVersions(reading, root, id, options)
  const sidebar = options.get('sidebarPath')
  const sidebarFile =
    typeof sidebar === 'string' ? findSidebarFile(reading, resolveSourcePath(inFolder(root, 'x'), sidebar)) : null
  return {
    id,
    folder: folder ?? inFolder(root, 'docs'),
    isOutside: folder === null,
    route: options.text('routeBasePath') ?? 'docs',
    sidebarFile,
    excluded: options.has('exclude') ? options.texts('exclude') : excludedByDefault,
    versions: folder === null ? versions.filter(({ name }) => name !== 'current') : versions,
  }
}

/** `./sidebars.js` or an extensionless path may refer to a TypeScript file. */
function findSidebarFile({ tree, paths }: SiteReading, file: string | null): string | null {
  if (file === null) return null
  return paths.has(file) ? file : (tree.paths.find((path) => path.startsWith(`${file}.`)) ?? file)
}

async function readVersions(
  reading: SiteReading,
  root: string,
  id: string,
  options: ConfigFields,
): Promise<DocsVersion[]> {
  const listFile = inFolder(root, id === 'default' ? 'versions.json' : `${id}_versions.json`)
  const listed = reading.paths.has(listFile) ? await readConfigFile(reading, listFile) : []
  const released = Array.isArray(listed) ? listed.filter((name) => typeof name === 'string') : []
  const withCurrent = options.flag('includeCurrentVersion') === false ? released : ['current', ...released]
  const only = options.has('onlyIncludeVersions') ? new Set(options.texts('onlyIncludeVersions')) : null
  const names = withCurrent.filter((name) => only === null || only.has(name))
  const last = options.text('lastVersion') ?? released[0] ?? 'current'
  return names.map((name) => {
    const own = options.fields('versions').fields(name)
    const isLast = name === last
    const label = own.text('label') ?? (name === 'current' ? 'Next' : name)
    const path = own.text('path') ?? (isLast ? '' : name === 'current' ? 'next' : name)
    return { name, label: released.length === 0 ? null : label, path, isLast }
  })
}

import type { AnchorStyle } from '../../markdown/heading-anchors.ts'
import { configFile } from './mkdocs-files.ts'
import type { MkdocsIncludeOptions } from './mkdocs-includes.ts'
import { reportOutside } from '../../finding-list.ts'
import { ConfigFields } from '../../site-config/config-fields.ts'
import { type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'
import { parseYamlConfig } from '../../site-config/parse-yaml-config.ts'
import { readText } from '../../trees/read-text.ts'
import { readUrlPath } from '../../routes/routed-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { findFileBelow, inFolder } from '../../routes/site-roots.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'

export interface MkdocsConfig {
  file: string
  name: string
  description: string
  /** The path at which the site is published. */
  base: string
  /** Folder of the pages in the tree. */
  folder: string
  nav: ConfigValue
  excluded: string[]
  /** File name of a folder's navigation, for the literate-nav plugin; null without it. */
  folderNavFile: string | null
  languages: MkdocsLanguages | null
  anchorStyle: AnchorStyle
  /** Former page files and where they lead, of the redirects plugin. */
  redirects: ReadonlyMap<string, string>
  includes: MkdocsIncludeOptions
  /** Names of the extensions of Python-Markdown, as in `pymdownx.keys`. */
  extensions: ReadonlySet<string>
  /** Replacements for `{{name}}` in pages, for the macros plugin; null without it. */
  variables: Map<string, string> | null
  /** Options of the blog plugin; null without it. */
  blog: ConfigFields | null
}

/** Languages of the `i18n` plugin. */
export interface MkdocsLanguages {
  structure: 'folder' | 'suffix'
  /** The default one first. */
  locales: string[]
}

const parentsMax = 5
const variablesDepthMax = 5

/** Reads `mkdocs.yml` and the files it inherits from. */
export async function readMkdocsConfig(reading: SiteReading, root: string): Promise<MkdocsConfig> {
  const { findings } = reading
  const file = findFileBelow(reading.paths, root, configFile) ?? ''
  const config = new ConfigFields(await readInherited(reading, file, 0), '', findings)
  const plugins = readNamedList(config, 'plugins')
  const docs = config.text('docs_dir') ?? 'docs'
  const folder = resolveSourcePath(file, docs)
  if (folder === null) reportOutside(findings, file, docs)
  const site = config.text('site_url') ?? ''
  const patterns = (key: string) => (config.text(key) ?? '').split('\n').map((line) => line.trim())
  return {
    file,
    name: config.text('site_name') ?? '',
    description: config.text('site_description') ?? '',
    base: site === '' ? '/' : readUrlPath(site),
    folder: folder ?? inFolder(root, 'docs'),
    nav: config.get('nav'),
    excluded: [...patterns('exclude_docs'), ...patterns('draft_docs')].filter((line) => line !== ''),
    folderNavFile: plugins.has('literate-nav') ? (plugins.get('literate-nav')?.text('nav_file') ?? 'SUMMARY.md') : null,
    languages: readLanguages(plugins.get('i18n')),
    anchorStyle: readAnchorStyle(config),
    redirects: readRedirects(plugins.get('redirects')),
    includes: readIncludes(config, file, [root, folder ?? root], plugins),
    extensions: readExtensions(config),
    variables: plugins.has('macros') ? readVariables(config) : null,
    blog: plugins.get('blog') ?? null,
  }
}

/** `INHERIT` names a file that provides defaults, or a variable of the environment and such a file. */
async function readInherited(reading: SiteReading, file: string, depth: number): Promise<ConfigValue> {
  const text = await readText(reading, file)
  const value = text === null ? undefined : parseYamlConfig(text, file, reading.findings)
  if (!isConfigObject(value)) return undefined
  const parent = [value['INHERIT']].flat().at(-1)
  const parentFile = typeof parent === 'string' && depth < parentsMax ? resolveSourcePath(file, parent) : null
  if (parentFile === null || !reading.paths.has(parentFile)) return value
  return mergeConfig(await readInherited(reading, parentFile, depth + 1), value)
}

/** Objects are merged at every depth; anything else of `own` replaces the default. */
function mergeConfig(inherited: ConfigValue, own: ConfigValue): ConfigValue {
  if (!isConfigObject(inherited) || !isConfigObject(own)) return own
  const merged = Object.entries(own).map(([key, value]) => [key, mergeConfig(inherited[key], value)] as const)
  return { ...inherited, ...Object.fromEntries(merged) }
}

/** Plugins and extensions are given by name or as name with settings, in a list or an object. */
function readNamedList(config: ConfigFields, key: 'plugins' | 'markdown_extensions'): Map<string, ConfigFields> {
  const plugins = new Map<string, ConfigFields>()
  const named = config.fields(key)
  for (const name of named.keys()) plugins.set(bareName(name), named.fields(name))
  for (const plugin of config.list(key)) {
    if (typeof plugin === 'string') plugins.set(bareName(plugin), config.within(undefined))
    else if (isConfigObject(plugin)) {
      const fields = config.within(plugin)
      for (const name of fields.keys()) plugins.set(bareName(name), fields.fields(name))
    }
  }
  return plugins
}

function readExtensions(config: ConfigFields): Set<string> {
  return new Set(readNamedList(config, 'markdown_extensions').keys())
}

/** Sites that name a function to make slugs use the one that keeps letters of all scripts; its tag is not read. */
function readAnchorStyle(config: ConfigFields): AnchorStyle {
  const toc = readNamedList(config, 'markdown_extensions').get('toc')
  if (toc?.has('slugify') !== true) return 'mkdocs'
  const options = toc.fields('slugify').fields('kwds')
  return options.keys().length > 0 && options.text('case') === undefined ? 'mkdocs-unicode-cased' : 'mkdocs-unicode'
}

const markExtensions = ['mdx_include', 'markdown_include.include', 'markdown_include']

/** @param searched Folders that are searched besides the configured ones, which are relative to `mkdocs.yml`. */
function readIncludes(
  config: ConfigFields,
  file: string,
  searched: readonly string[],
  plugins: ReadonlyMap<string, ConfigFields>,
): MkdocsIncludeOptions {
  const extensions = readNamedList(config, 'markdown_extensions')
  const snippets = extensions.get('pymdownx.snippets') ?? extensions.get('snippets')
  const marks = markExtensions.flatMap((name) => extensions.get(name) ?? [])
  const written = [snippets, ...marks].flatMap((options) => options?.texts('base_path') ?? [])
  // Paths computed at build time are unknown here.
  const folders = written.flatMap((path) => resolveSourcePath(file, path.replace(/^!relative\s*/, '')) ?? [])
  return {
    folders: [...new Set([...folders, ...searched])],
    appended: snippets?.texts('auto_append') ?? [],
    hasMarks: marks.length > 0,
    hasVariants: extensions.has('markdown_include_variants'),
    hasTags: plugins.has('include-markdown'),
  }
}

/** The macros plugin offers everything below `extra`, and the configuration itself. */
function readVariables(config: ConfigFields): Map<string, string> {
  const variables = new Map<string, string>()
  for (const key of config.keys()) addVariable(variables, `config.${key}`, config.get(key), 0)
  const extra = config.get('extra')
  for (const prefix of ['', 'extra.'])
    if (isConfigObject(extra))
      for (const [key, value] of Object.entries(extra)) addVariable(variables, `${prefix}${key}`, value, 0)
  return variables
}

function addVariable(variables: Map<string, string>, name: string, value: ConfigValue, depth: number): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    variables.set(name, String(value))
  else if (isConfigObject(value) && depth < variablesDepthMax)
    for (const [key, inner] of Object.entries(value)) addVariable(variables, `${name}.${key}`, inner, depth + 1)
}

function bareName(name: string): string {
  return name.replace(/^.*\//, '')
}

function readRedirects(plugin: ConfigFields | undefined): Map<string, string> {
  const maps = plugin?.fields('redirect_maps')
  return new Map(maps?.keys().map((from) => [from, maps.text(from) ?? '']))
}

function readLanguages(plugin: ConfigFields | undefined): MkdocsLanguages | null {
  if (plugin === undefined) return null
  const languages = plugin.list('languages').map((language) => plugin.within(language, 'languages'))
  const sorted = [...languages].sort((a, b) => Number(b.flag('default') === true) - Number(a.flag('default') === true))
  const locales = sorted.flatMap((language) => language.text('locale') ?? [])
  if (locales.length === 0) return null
  return { structure: plugin.text('docs_structure') === 'folder' ? 'folder' : 'suffix', locales }
}

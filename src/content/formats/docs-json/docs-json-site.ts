import { cleanText, cutText } from '../../trees/clean-text.ts'
import type { DocsConfig, NavigationNode } from './docs-config.ts'
import { docsConfigSchema, navigationNodeSchema } from './docs-config.ts'
import { NavigationPages } from './navigation-pages.ts'
import { isRecord, parseTolerantly } from '../../site-config/parse-tolerantly.ts'
import type { Navigation } from './read-navigation.ts'
import { readNavigation, readSpec } from './read-navigation.ts'
import { readConfig } from '../../site-config/resolve-config-references.ts'
import type { SiteContent } from '../../site-page.ts'
import type { SiteReading } from '../../site-reading.ts'
import { createLibrary } from '../../flatten/source-library.ts'

const configFile = 'docs.json'
/** A variable is filled in wherever a page names it, so a long one multiplies. */
const variableCharsMax = 2000
const instructionsCharsMax = 4000

/** Reads a site whose navigation stands in `docs.json`. */
export async function readDocsJsonSite(reading: SiteReading): Promise<SiteContent> {
  const { tree, findings } = reading
  const resolved = await readConfig({ tree, findings, paths: new Set(tree.paths) }, configFile)
  const config = parseConfig(reading, resolved?.value ?? {})
  const spec = readSiteSpec(config)
  const navigation = readNavigation(config.navigation, { file: configFile, findings, spec })
  return readNavigatedSite(reading, {
    format: 'docs-json',
    file: configFile,
    config,
    navigation,
    texts: resolved?.texts,
  })
}

function parseConfig(reading: SiteReading, value: unknown): DocsConfig {
  const report = (message: string) => {
    reading.findings.add({ file: configFile, line: null, rule: 'config-invalid', message })
  }
  if (!isRecord(value)) {
    report('The file holds no JSON object. Give it at least a name and a navigation.')
    return {}
  }
  const config = parseTolerantly(docsConfigSchema, value, (key, problem) => report(`${key} is not used: ${problem}.`))
  if (config.navigation === undefined) report('There is no navigation, so no page is part of the site. Add one.')
  return config
}

/** `api.openapi` of the site is what pages use that name no description of their own. */
function readSiteSpec(config: DocsConfig) {
  const parsed = navigationNodeSchema.shape.openapi.safeParse(config.api?.openapi ?? config.openapi)
  const openapi: NavigationNode['openapi'] = parsed.success ? parsed.data : undefined
  return openapi === undefined ? null : readSpec(openapi, null)
}

export interface NavigatedSite {
  format: 'docs-json' | 'mint-json'
  file: string
  config: DocsConfig
  navigation: Navigation
  /** Texts of the configuration's files, in which the line of an entry is looked up. */
  texts: ReadonlyMap<string, string> | undefined
}

/** Reads the pages that a navigation names, and those beside it where the site wants all. */
export async function readNavigatedSite(reading: SiteReading, site: NavigatedSite): Promise<SiteContent> {
  const { config, navigation } = site
  const variables = new Map(
    Object.entries(config.variables ?? {}).map(([name, value]) => [name, cutText(String(value), variableCharsMax)]),
  )
  const library = createLibrary(reading.tree, variables, reading.findings)
  const pages = new NavigationPages(reading, library, {
    configFile: site.file,
    texts: site.texts ?? new Map(),
    indexing: config.seo?.indexing ?? 'navigable',
    navigation,
  })
  return {
    format: site.format,
    name: config.name ?? '',
    description: config.description ?? '',
    ...readInstructions(config),
    defaultVersion: navigation.defaultVersion,
    defaultLanguage: navigation.defaultLanguage,
    pages: await pages.read(),
    findings: reading.findings.list(),
  }
}

function readInstructions({ markdown }: DocsConfig): Pick<SiteContent, 'instructions'> {
  const instructions = cutText(cleanText(markdown?.instructions ?? '').trim(), instructionsCharsMax)
  return instructions === '' ? {} : { instructions }
}

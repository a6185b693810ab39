import { docsJsonDialect } from '../../flatten/page-dialect.ts'
import { isRecord, parseTolerantly } from '../../site-config/parse-tolerantly.ts'
import { readConfig } from '../../site-config/resolve-config-references.ts'
import type { SiteReading } from '../../site-reading.ts'
import { cleanText, cutText } from '../../trees/clean-text.ts'
import type { SitePlan } from '../site-format.ts'
import { type DocsConfig, docsConfigSchema, type NavigationNode, navigationNodeSchema } from './docs-config.ts'
import { NavigationPages } from './navigation-pages.ts'
import { type Navigation, readNavigation, readSpec } from './read-navigation.ts'

/** Variables are substituted at every use, so long ones multiply. */
const variableCharsMax = 2000
const instructionsCharsMax = 4000

/** Reads a site whose navigation is in `docs.json`. */
export async function planDocsJsonSite(reading: SiteReading, file: string): Promise<SitePlan> {
  const found = await readDocsConfig(reading, file)
  const report = (message: string) => {
    reading.findings.add({ file, line: null, rule: 'config-invalid', message })
  }
  if (!found.isObject) report('The file contains no JSON object. Give it at least a name and a navigation.')
  else if (found.config.navigation === undefined) report('There is no navigation, so the site has no pages. Add one.')
  const spec = readSiteSpec(found.config)
  return planNavigatedSite(reading, found, readNavigation(found.config.navigation, { ...reading, file, spec }))
}

/** The site's `api.openapi` is the default for pages that name no description. */
function readSiteSpec(config: DocsConfig) {
  const parsed = navigationNodeSchema.shape.openapi.safeParse(config.api?.openapi ?? config.openapi)
  const openapi: NavigationNode['openapi'] = parsed.success ? parsed.data : undefined
  return openapi === undefined ? null : readSpec(openapi, null)
}

export interface FoundDocsConfig {
  file: string
  config: DocsConfig
  /** False if the file is missing, broken, or not an object. */
  isObject: boolean
  /** Texts of the configuration files, for finding the line of an entry. */
  texts: ReadonlyMap<string, string>
}

/** Reads the keys that `docs.json` and `mint.json` share. Faults become findings. */
export async function readDocsConfig(reading: SiteReading, file: string): Promise<FoundDocsConfig> {
  const resolved = await readConfig(reading, file)
  const value = resolved === null ? {} : resolved.value
  const config = parseTolerantly(docsConfigSchema, isRecord(value) ? value : {}, (key, problem) => {
    reading.findings.add({ file, line: null, rule: 'config-invalid', message: `${key} is ignored: ${problem}.` })
  })
  return { file, config, isObject: isRecord(value), texts: resolved?.texts ?? new Map() }
}

/** Plans the pages in the navigation, and all others if the site indexes them too. */
export function planNavigatedSite(
  reading: SiteReading,
  { file, config, texts }: FoundDocsConfig,
  navigation: Navigation,
): SitePlan {
  const indexing = config.seo?.indexing ?? 'navigable'
  return {
    name: config.name ?? '',
    description: config.description ?? '',
    ...readInstructions(config),
    defaultVersion: navigation.defaultVersion,
    defaultLanguage: navigation.defaultLanguage,
    dialect: docsJsonDialect,
    redirects: config.redirects ?? [],
    variables: new Map(
      Object.entries(config.variables ?? {}).map(([name, value]) => [name, cutText(String(value), variableCharsMax)]),
    ),
    readPages: (library) =>
      new NavigationPages(reading, library, { configFile: file, texts, indexing, navigation }).read(),
  }
}

function readInstructions({ markdown }: DocsConfig): Pick<SitePlan, 'instructions'> {
  const instructions = cutText(cleanText(markdown?.instructions ?? '').trim(), instructionsCharsMax)
  return instructions === '' ? {} : { instructions }
}

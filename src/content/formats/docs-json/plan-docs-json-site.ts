import { docsJsonDialect } from '../../flatten/page-dialect.ts'
import { isRecord, parseTolerantly } from '../../site-config/parse-tolerantly.ts'
import { readConfig } from '../../site-config/resolve-config-references.ts'
import type { SiteReading } from '../../site-reading.ts'
import { cleanText, cutText } from '../../trees/clean-text.ts'
import type { SitePlan } from '../site-format.ts'
import { type DocsConfig, docsConfigSchema, type NavigationNode, navigationNodeSchema } from './docs-config.ts'
import { NavigationPages } from './navigation-pages.ts'
import { type Navigation, readNavigation, readSpec } from './read-navigation.ts'

/** Variables are substituted wherever a page names them, so a long one multiplies. */
const variableCharsMax = 2000
const instructionsCharsMax = 4000

/** Reads a site whose navigation stands in `docs.json`. */
export async function planDocsJsonSite(reading: SiteReading, file: string): Promise<SitePlan> {
  const found = await readDocsConfig(reading, file)
  const report = (message: string) => {
    reading.findings.add({ file, line: null, rule: 'config-invalid', message })
  }
  if (!found.isObject) report('The file holds no JSON object. Give it at least a name and a navigation.')
  else if (found.config.navigation === undefined)
    report('There is no navigation, so no page is part of the site. Add one.')
  const spec = readSiteSpec(found.config)
  return planNavigatedSite(reading, found, readNavigation(found.config.navigation, { ...reading, file, spec }))
}

/** `api.openapi` of the site is what pages use that name no description of their own. */
function readSiteSpec(config: DocsConfig) {
  const parsed = navigationNodeSchema.shape.openapi.safeParse(config.api?.openapi ?? config.openapi)
  const openapi: NavigationNode['openapi'] = parsed.success ? parsed.data : undefined
  return openapi === undefined ? null : readSpec(openapi, null)
}

export interface FoundDocsConfig {
  file: string
  config: DocsConfig
  /** False for a file that is missing, broken, or holds something else than an object. */
  isObject: boolean
  /** Texts of the configuration's files, to find the line of an entry. */
  texts: ReadonlyMap<string, string>
}

/** Reads the keys that `docs.json` and `mint.json` share. What is wrong with one is a finding. */
export async function readDocsConfig(reading: SiteReading, file: string): Promise<FoundDocsConfig> {
  const resolved = await readConfig(reading, file)
  const value = resolved === null ? {} : resolved.value
  const config = parseTolerantly(docsConfigSchema, isRecord(value) ? value : {}, (key, problem) => {
    reading.findings.add({ file, line: null, rule: 'config-invalid', message: `${key} is not used: ${problem}.` })
  })
  return { file, config, isObject: isRecord(value), texts: resolved?.texts ?? new Map() }
}

/** Plans the pages that a navigation names, and those beside it where the site wants all. */
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

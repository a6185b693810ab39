import type { SiteReading } from '../../site-reading.ts'
import { isRecord } from '../../site-config/parse-tolerantly.ts'
import type { DocsConfig } from '../docs-json/docs-config.ts'
import { planNavigatedSite, readDocsConfig } from '../docs-json/plan-docs-json-site.ts'
import { readNavigation, readSpec } from '../docs-json/read-navigation.ts'
import type { SitePlan } from '../site-format.ts'

/**
 * Reads a site in the older form: `navigation` is a list of groups, and separate tabs, anchors and versions claim
 * groups by path prefix or by name. Converts it to the newer form.
 */
export async function planMintJsonSite(reading: SiteReading, file: string): Promise<SitePlan> {
  const found = await readDocsConfig(reading, file)
  const { openapi } = found.config
  const sources = typeof openapi === 'string' ? openapi : listOf(openapi).filter((source) => typeof source === 'string')
  const spec = openapi === undefined ? null : readSpec(sources, null)
  const navigation = readNavigation(convertNavigation(found.config), { ...reading, file, spec })
  return planNavigatedSite(reading, found, navigation)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function convertNavigation(config: DocsConfig): unknown {
  const groups = listOf(config.navigation).filter(isRecord)
  const versions = listOf(config.versions).map((version) => (isRecord(version) ? version['name'] : version))
  const named = versions.filter((version) => typeof version === 'string')
  if (named.length === 0) return { tabs: arrangeByTab(config, groups) }
  return {
    versions: named.map((version) => {
      // A group without a version belongs to all versions.
      const own = groups.filter((group) => group['version'] === undefined || group['version'] === version)
      return {
        version,
        tabs: arrangeByTab(
          config,
          own.map(({ version: _version, ...group }) => group),
        ),
      }
    }),
  }
}

interface Tab {
  name: string
  prefix: string
}

function arrangeByTab(config: DocsConfig, groups: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  const tabs = [...listOf(config.tabs), ...listOf(config.anchors)].filter(isRecord).flatMap((tab) => readTab(tab))
  const arranged = new Map<string, unknown[]>()
  for (const group of groups) {
    const first = firstPage(group)
    const tab = tabs.find(({ prefix }) => first === prefix || first.startsWith(`${prefix}/`))
    const name = tab?.name ?? ''
    arranged.set(name, [...(arranged.get(name) ?? []), group])
  }
  return [...arranged].map(([tab, groups]) => ({ tab, groups }))
}

function readTab(tab: Readonly<Record<string, unknown>>): Tab[] {
  const { name, url } = tab
  if (typeof name !== 'string' || typeof url !== 'string' || /^[a-z]+:/i.test(url)) return []
  return [{ name, prefix: url.replace(/^\/|\/$/g, '') }]
}

/** Path of the group's first page, at any depth. */
function firstPage(node: unknown, depth = 0): string {
  if (typeof node === 'string') return node.replace(/^\//, '')
  return isRecord(node) && depth < 20 ? firstPage(listOf(node['pages'])[0], depth + 1) : ''
}

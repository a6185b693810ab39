import { ConfigFields, reportComputed } from '../../site-config/config-fields.ts'
import { ComputedValue, type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'
import type { FindingList } from '../../finding-list.ts'
import { joinRoute, pathOfUrl } from '../../routes/routed-page.ts'

export interface SidebarPlace {
  path: string
  title: string
  section: string[]
  order: number
}

export interface SidebarContext {
  /** Base of the site, without trailing slash unless it is the root. */
  base: string
  /** Language folder of the sidebar, `''` for the root. */
  locale: string
  findings: FindingList
  /** By path; a page keeps its first place. */
  places: Map<string, SidebarPlace>
}

const depthMax = 20

/** Reads a sidebar: a list of entries, or an object of such lists by path prefix. */
export function readVitepressSidebar(sidebar: ConfigValue, context: SidebarContext): void {
  if (Array.isArray(sidebar)) placeItems(sidebar, context, { base: '', section: [], depth: 0 })
  else if (isConfigObject(sidebar)) {
    for (const [prefix, value] of Object.entries(sidebar)) {
      const inner = { base: '', section: [], depth: 0 }
      if (Array.isArray(value)) placeItems(value, context, inner)
      else if (value instanceof ComputedValue) reportComputed(value, `The sidebar of ${prefix}`, context.findings)
      else placeItem(value, context, inner)
    }
  }
}

interface Place {
  base: string
  section: string[]
  depth: number
}

function placeItems(items: readonly ConfigValue[], context: SidebarContext, place: Place): void {
  if (place.depth > depthMax) return
  for (const item of items) {
    if (item instanceof ComputedValue) reportComputed(item, 'A sidebar entry', context.findings)
    else placeItem(item, context, place)
  }
}

function placeItem(item: ConfigValue, context: SidebarContext, outer: Place): void {
  const fields = new ConfigFields(item, 'sidebar', context.findings)
  const base = fields.text('base') ?? outer.base
  const title = (fields.text('text') ?? '').replace(/<[^<>]*>/g, '').trim()
  const link = fields.text('link')
  const items = fields.list('items')
  const section = items.length > 0 && title !== '' ? [...outer.section, title] : outer.section
  if (link !== undefined && !/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(link))
    addPlace(link, { base, title, section }, context)
  placeItems(items, context, { base, section, depth: outer.depth + 1 })
}

function addPlace(
  link: string,
  { base, title, section }: { base: string; title: string; section: string[] },
  { places, base: siteBase }: SidebarContext,
): void {
  const bare = `${base}${link}`
    .replace(/[?#].*$/, '')
    .replace(/\.(?:md|html)$/, '')
    .replace(/(^|\/)index$/, '$1')
  if (bare === '') return
  const path = joinRoute(siteBase, pathOfUrl(`/${bare.replace(/^\/+/, '')}`))
  if (!places.has(path)) places.set(path, { path, title, section, order: places.size })
}

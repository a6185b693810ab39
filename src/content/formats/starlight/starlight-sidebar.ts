import { ConfigFields, reportComputed } from '../../site-config/config-fields.ts'
import { ComputedValue, type ConfigValue } from '../../site-config/config-value.ts'
import { type FindingList, reportMissingPage } from '../../finding-list.ts'
import { createPageFolder, enterFolder, type PageFolder } from '../../routes/page-folders.ts'
import type { PageHead } from '../../pages/page-head.ts'
import type { SiteLocales } from '../../routes/site-locales.ts'
import { titleOfPath } from '../../trees/source-path.ts'

export interface StarlightPage {
  /** Address below the base, `''` for the start page. */
  id: string
  /** Address without the language folder. */
  name: string
  /** Language folder, `''` for the root. */
  locale: string
  file: string
  head: PageHead
}

export interface PlacedPage {
  page: StarlightPage
  section: string[]
  isInNavigation: boolean
}

interface Walk {
  pages: ReadonlyMap<string, StarlightPage>
  language: string
  placed: Map<string, PlacedPage>
  findings: FindingList
  isDefault: boolean
}

const depthMax = 20

/**
 * Orders pages by the sidebar, one language after another; the others follow in address order. Without a sidebar,
 * folders are its groups.
 */
export function orderBySidebar(
  pages: readonly StarlightPage[],
  config: { sidebar: ConfigValue; locales: SiteLocales },
  findings: FindingList,
): PlacedPage[] {
  const { byFolder, defaultLanguage } = config.locales
  const folders = byFolder.size === 0 ? [''] : [...new Set(['', ...byFolder.keys()])]
  return folders.flatMap((locale) => {
    const own = pages.filter((page) => page.locale === locale)
    const language = byFolder.get(locale) ?? ''
    const walk: Walk = {
      pages: new Map(own.map((page) => [page.name, page])),
      language,
      placed: new Map(),
      findings,
      isDefault: byFolder.size === 0 || language === defaultLanguage,
    }
    if (config.sidebar === undefined) placeFolder(walk, '', [])
    else if (Array.isArray(config.sidebar)) for (const item of config.sidebar) placeItem(walk, item, [], 0)
    const rest = own.filter((page) => !walk.placed.has(page.id)).sort((a, b) => (a.id < b.id ? -1 : 1))
    return [...walk.placed.values(), ...rest.map((page) => ({ page, section: [], isInNavigation: false }))]
  })
}

function place(walk: Walk, page: StarlightPage, section: string[]): void {
  if (!walk.placed.has(page.id)) walk.placed.set(page.id, { page, section, isInNavigation: true })
}

function placeItem(walk: Walk, item: ConfigValue, section: string[], depth: number): void {
  if (depth > depthMax) return
  if (item instanceof ComputedValue) {
    if (walk.isDefault) reportComputed(item, 'A sidebar entry', walk.findings)
    return
  }
  if (typeof item === 'string') {
    placeName(walk, item, section)
    return
  }
  const fields = new ConfigFields(item, 'sidebar', walk.findings)
  const name = fields.text('slug')
  if (name !== undefined) placeName(walk, name, section)
  const link = fields.text('link')
  if (link !== undefined && /^\/?[^:]*$/.test(link)) {
    const page = walk.pages.get(nameOf(link))
    if (page !== undefined) place(walk, page, section)
  }
  const label = fields.fields('translations').text(walk.language) ?? fields.text('label')
  const inner = label === undefined ? section : [...section, label]
  if (fields.has('autogenerate'))
    placeFolder(walk, nameOf(fields.fields('autogenerate').text('directory') ?? ''), inner)
  for (const child of fields.list('items')) placeItem(walk, child, inner, depth + 1)
}

function nameOf(text: string): string {
  const bare = text.replace(/[?#].*$/, '').replace(/^\/+|\/+$/g, '')
  return bare === 'index' ? '' : bare
}

function placeName(walk: Walk, text: string, section: string[]): void {
  const page = walk.pages.get(nameOf(text))
  if (page !== undefined) place(walk, page, section)
  else if (walk.isDefault) reportMissingPage(walk.findings, { file: '', holder: 'The sidebar', target: text })
}

/** Places the pages below a folder by their own position, then by name; a folder sorts like its first page. */
function placeFolder(walk: Walk, directory: string, section: string[]): void {
  const top = createPageFolder<StarlightPage>()
  for (const page of walk.pages.values()) {
    const isInside = directory === '' || page.name === directory || page.name.startsWith(`${directory}/`)
    if (!isInside || page.head.isHiddenFromSidebar) continue
    const inner = page.name.slice(directory === '' ? 0 : directory.length + 1)
    const isIndex = /(?:^|\/)index\.mdx?$/.test(page.file)
    const segments = inner === '' ? [] : inner.split('/')
    enterFolder(top, isIndex ? segments : segments.slice(0, -1)).pages.set(page.file, page)
  }
  placeSorted(walk, top, section)
}

function placeSorted(walk: Walk, folder: PageFolder<StarlightPage>, section: string[]): void {
  const entries = [
    ...[...folder.pages.values()].map((page) => ({
      name: page.name,
      order: orderOf(page),
      put: () => place(walk, page, section),
    })),
    ...[...folder.folders].map(([name, inner]) => ({
      name,
      order: orderOfFolder(inner),
      put: () => placeSorted(walk, inner, [...section, titleOfPath(name)]),
    })),
  ]
  entries.sort((a, b) => a.order - b.order || a.name.localeCompare(b.name))
  for (const entry of entries) entry.put()
}

function orderOf(page: StarlightPage): number {
  const isStart = page.name === ''
  return page.head.position ?? (isStart ? -Number.MAX_VALUE : Number.MAX_VALUE)
}

function orderOfFolder(folder: PageFolder<StarlightPage>): number {
  const orders = [...[...folder.pages.values()].map(orderOf), ...[...folder.folders.values()].map(orderOfFolder)]
  return Math.min(Number.MAX_VALUE, ...orders)
}

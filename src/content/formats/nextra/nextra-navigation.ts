import { ConfigFields } from '../../site-config/config-fields.ts'
import { type ConfigValue, isConfigObject } from '../../site-config/config-value.ts'
import type { FindingList } from '../../finding-list.ts'
import type { PageFolder } from '../../routes/page-folders.ts'
import { capitalize } from '../../trees/source-path.ts'

export interface PlacedNextraPage<Page> {
  page: Page
  section: string[]
  title: string | null
  isInNavigation: boolean
}

interface Walk<Page> {
  findings: FindingList
  placed: Map<Page, PlacedNextraPage<Page>>
}

interface Place {
  section: string[]
  depth: number
  isHidden: boolean
}

const depthMax = 40

/**
 * Orders pages by the `_meta` of their folders. Unlisted ones follow by name, the folder's own page first. Hidden ones
 * stay published, outside the navigation.
 */
export function orderByNextraMeta<Page>(top: PageFolder<Page>, findings: FindingList): PlacedNextraPage<Page>[] {
  const walk: Walk<Page> = { findings, placed: new Map() }
  placeFolder(walk, top, top.meta, { section: [], depth: 0, isHidden: false })
  return [...walk.placed.values()]
}

function placeFolder<Page>(walk: Walk<Page>, folder: PageFolder<Page>, meta: ConfigValue, place: Place): void {
  if (place.depth > depthMax) return
  const fields = new ConfigFields(meta, '_meta', walk.findings)
  // Settings under the asterisk apply to every name.
  const { isHidden } = readEntry(fields, '*')
  const named = fields.keys().filter((name) => name !== '*')
  const others = [...folder.pages.keys(), ...folder.folders.keys()].filter((name) => !named.includes(name))
  others.sort((a, b) => Number(b === 'index') - Number(a === 'index') || a.localeCompare(b))
  let heading: string[] = []
  for (const name of named) {
    const entry = readEntry(fields, name, isHidden)
    if (entry.type === 'separator') heading = entry.title === null ? [] : [entry.title]
    else placeName(walk, folder, { name, ...entry }, { ...place, section: [...place.section, ...heading] })
  }
  for (const name of new Set(others)) {
    placeName(walk, folder, { name, title: null, type: '', isHidden, items: undefined }, place)
  }
}

interface MetaEntry {
  title: string | null
  type: string
  isHidden: boolean
  /** A folder's `_meta` may be nested in that of its parent. */
  items: ConfigValue
}

function readEntry(meta: ConfigFields, name: string, isHiddenByDefault = false): MetaEntry {
  const value = meta.get(name)
  if (!isConfigObject(value)) {
    return { title: typeof value === 'string' ? value : null, type: '', isHidden: isHiddenByDefault, items: undefined }
  }
  const fields = meta.fields(name)
  const display = fields.text('display')
  const isHidden = display === undefined ? isHiddenByDefault : display === 'hidden'
  // A title may be a JSX element, which is skipped without a finding.
  const title = typeof value['title'] === 'string' ? value['title'] : null
  return { title, type: fields.text('type') ?? '', isHidden, items: value['items'] }
}

function placeName<Page>(
  walk: Walk<Page>,
  folder: PageFolder<Page>,
  entry: MetaEntry & { name: string },
  { section, depth, isHidden }: Place,
): void {
  const page = folder.pages.get(entry.name)
  const inner = folder.folders.get(entry.name)
  const hidden = isHidden || entry.isHidden
  if (page !== undefined && !walk.placed.has(page))
    walk.placed.set(page, { page, section, title: entry.title, isInNavigation: !hidden })
  if (inner === undefined) return
  const meta = inner.meta ?? (isConfigObject(entry.items) ? entry.items : undefined)
  const title = entry.title ?? capitalize(inner.name.replace(/[-_]+/g, ' '))
  placeFolder(walk, inner, meta, { section: [...section, title], depth: depth + 1, isHidden: hidden })
}

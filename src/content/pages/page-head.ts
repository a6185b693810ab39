import { ConfigFields } from '../site-config/config-fields.ts'
import type { ConfigValue } from '../site-config/config-value.ts'
import { loadPageFile } from './load-page.ts'
import type { SiteReading } from '../site-reading.ts'
import type { SourceFiles } from '../trees/read-text.ts'

/** Frontmatter about a page's address and place, read before any page is parsed. */
export interface PageHead {
  title: string | null
  isDraft: boolean
  /** Reachable by address, but not linked anywhere. */
  isUnlisted: boolean
  /** Whether the site's own search includes it. */
  isSearchable: boolean
  slug: string | null
  id: string | null
  /** Sort key among its siblings; null if unset. */
  position: number | null
  label: string | null
  isHiddenFromSidebar: boolean
  keepsNumberPrefix: boolean
}

/** Reads the heads of page files. Discards the bodies, because a large site does not fit into memory twice. */
export async function readPageHeads(reading: SiteReading, files: Iterable<string>): Promise<Map<string, PageHead>> {
  const heads = new Map<string, PageHead>()
  for (const file of files) {
    reading.options.signal?.throwIfAborted()
    const loaded = await loadPageFile(reading, file)
    if (loaded !== null) heads.set(file, readHead(fieldsOf(loaded.fields, reading), loaded.frontmatter.title ?? null))
  }
  return heads
}

/** Typed access to a page's frontmatter. */
export function fieldsOf(
  fields: Readonly<Record<string, unknown>>,
  { findings }: Pick<SourceFiles, 'findings'>,
): ConfigFields {
  // YAML values are configuration values, except dates, which no field here uses.
  return new ConfigFields(fields as { [key: string]: ConfigValue }, '', findings)
}

function readHead(fields: ConfigFields, title: string | null): PageHead {
  const sidebar = fields.fields('sidebar')
  const navigation = fields.get('sidebar')
  return {
    title,
    isDraft: fields.flag('draft') === true,
    isUnlisted: fields.flag('unlisted') === true,
    isSearchable: isSearchable(fields),
    slug: fields.text('slug') ?? null,
    id: fields.text('id') ?? null,
    position: fields.number('sidebar_position') ?? sidebar.number('order') ?? null,
    label: fields.text('sidebar_label') ?? sidebar.text('label') ?? fields.text('sidebarTitle') ?? null,
    isHiddenFromSidebar: sidebar.flag('hidden') === true || navigation === false,
    keepsNumberPrefix: fields.flag('parse_number_prefixes') === false,
  }
}

/** `pagefind: false`, `search: false` and `search: { exclude: true }` exclude a page from the site's own search. */
function isSearchable(fields: ConfigFields): boolean {
  const isExcluded = fields.fields('search').flag('exclude') === true
  return fields.flag('pagefind') !== false && fields.flag('search') !== false && !isExcluded
}

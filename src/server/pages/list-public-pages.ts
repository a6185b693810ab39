import type { Reader, SearchIndex } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { ListedPage } from './site-path.ts'

/** Visitors without a key see public pages only. */
export const anybody: Reader = { readerGroups: [], isSignedIn: false }

const publicPages = new WeakMap<SearchIndex, Promise<ListedPage[]>>()

/** Cached per index, which is replaced with every generation; the same for all visitors. */
export function listPublicPages({ index }: Pick<LiveSite, 'index'>): Promise<ListedPage[]> {
  const known = publicPages.get(index)
  if (known !== undefined) return known
  const listed = index.listPages(anybody)
  publicPages.set(index, listed)
  listed.catch(() => publicPages.delete(index))
  return listed
}

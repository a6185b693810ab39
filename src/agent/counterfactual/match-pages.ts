import { addToList } from '../../base/add-to-list.ts'
import type { SitePage } from '../../content/site-page.ts'
import { listFacts } from './list-facts.ts'
import { partition } from './partition.ts'

/** Where the pages of a site are after a change. */
export interface PageMoves {
  /** Old path → new path, where they differ. */
  moved: ReadonlyMap<string, string>
  paths: ReadonlySet<string>
}

/** @returns Null if the page is gone. */
export function findNewPath({ moved, paths }: PageMoves, path: string): string | null {
  return moved.get(path) ?? (paths.has(path) ? path : null)
}

/** The share of its facts that a page must have in common with another one to be the same page at another address. */
const sharedMin = 0.5
/** A fact that more pages share does not show which of them a page has become. */
const commonPages = 200

/** Finds the pages that have another address after a change, by what they say. */
export function matchPages(before: readonly SitePage[], after: readonly SitePage[]): PageMoves {
  const [old, now] = [new Set(before.map(({ path }) => path)), new Set(after.map(({ path }) => path))]
  const gone = before.filter(({ path }) => !now.has(path))
  const come = after.filter(({ path }) => !old.has(path))
  const moved = gone.length === 0 || come.length === 0 ? new Map<string, string>() : findMoved(gone, come)
  return { moved, paths: now }
}

function findMoved(gone: readonly SitePage[], come: readonly SitePage[]): Map<string, string> {
  const keysOf = new Map(come.map((page) => [page, new Set(listKeys(page))]))
  const pagesByKey = new Map<string, SitePage[]>()
  for (const [page, keys] of keysOf) {
    for (const key of keys) addToList(pagesByKey, key, page)
  }
  const moved = new Map<string, string>()
  const taken = new Set<SitePage>()
  for (const page of gone) {
    const keys = listKeys(page)
    const shares = new Map<SitePage, number>()
    const isOpen = (other: SitePage) => isOfEdition(page, other) && !taken.has(other)
    const [common, telling] = partition(keys, (key) => (pagesByKey.get(key)?.length ?? 0) > commonPages)
    for (const other of telling.flatMap((key) => pagesByKey.get(key) ?? []))
      if (isOpen(other)) shares.set(other, (shares.get(other) ?? 0) + 1)
    const near = [...shares].sort((one, other) => other[1] - one[1])
    if (near.length === 0) {
      for (const other of pagesByKey.get(common[0] ?? '')?.filter(isOpen) ?? []) near.push([other, 0])
    }
    const counted = near
      .slice(0, commonPages)
      .map(([other, share]) => ({ other, share: share + common.filter((key) => keysOf.get(other)?.has(key)).length }))
    const [best] = counted.sort((one, other) => other.share - one.share)
    if (best === undefined || best.share < sharedMin * keys.length) continue
    taken.add(best.other)
    moved.set(page.path, best.other.path)
  }
  return moved
}

function isOfEdition(page: SitePage, other: SitePage): boolean {
  return page.version === other.version && page.language === other.language
}

/** A page without text is identified by its title. */
function listKeys(page: SitePage): string[] {
  const keys = listFacts(page).map(({ key }) => key)
  return keys.length === 0 ? [page.title] : [...new Set(keys)]
}

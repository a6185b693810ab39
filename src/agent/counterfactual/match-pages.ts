import type { SitePage } from '../../content/site-page.ts'
import { listFacts } from './list-facts.ts'

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

/** Finds the pages that have another address after a change, by what they say. */
export function matchPages(before: readonly SitePage[], after: readonly SitePage[]): PageMoves {
  const [old, now] = [new Set(before.map(({ path }) => path)), new Set(after.map(({ path }) => path))]
  const gone = before.filter(({ path }) => !now.has(path))
  const come = after.filter(({ path }) => !old.has(path))
  const moved = gone.length === 0 || come.length === 0 ? new Map<string, string>() : findMoved(gone, come)
  return { moved, paths: now }
}

function findMoved(gone: readonly SitePage[], come: readonly SitePage[]): Map<string, string> {
  const pagesByKey = new Map<string, SitePage[]>()
  for (const page of come) {
    for (const key of listKeys(page)) pagesByKey.set(key, [...(pagesByKey.get(key) ?? []), page])
  }
  const moved = new Map<string, string>()
  const taken = new Set<SitePage>()
  for (const page of gone) {
    const keys = listKeys(page)
    const shared = Map.groupBy(
      keys.flatMap((key) => pagesByKey.get(key) ?? []).filter((other) => isOfEdition(page, other) && !taken.has(other)),
      (other) => other,
    )
    const [best, most] = [...shared].sort((a, b) => b[1].length - a[1].length)[0] ?? []
    if (best === undefined || most === undefined || most.length < sharedMin * keys.length) continue
    taken.add(best)
    moved.set(page.path, best.path)
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

import { listSites, type Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'

/** Most sites of one organization that are searched. */
const sitesMax = 10_000

/**
 * The sites of an organization that are read from a repository.
 *
 * @param repository.url Its https URL, with or without `.git`, in any case.
 */
export async function findSitesOfRepository(
  store: Store,
  { organizationId, url }: { organizationId: string; url: string },
): Promise<Site[]> {
  const wanted = nameRepository(url)
  if (wanted === null) return []
  const { items } = await listSites(store.durable, { organizationId, limit: sitesMax })
  return items.filter(({ source }) => nameRepository(source.location) === wanted)
}

/**
 * Whether a URL may point to the repository at `path`, such as `acme/docs`. Ignores the host and compares only the end
 * of the path, because code hosts may be served under a path of their own.
 */
export function isAddressOf(url: string, path: string): boolean {
  return nameRepository(url)?.endsWith(`/${path.toLowerCase()}`) ?? false
}

/** Whether two URLs name the same repository. */
export function isSameRepository(one: string, other: string): boolean {
  const name = nameRepository(one)
  return name !== null && name === nameRepository(other)
}

/** Normalized form of a repository URL; null if it is not a URL (a folder, for instance). */
function nameRepository(location: string): string | null {
  const url = URL.parse(location)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const path = url.pathname.replace(/\/+$/, '').replace(/\.git$/, '')
  return `${url.host}${path}`.toLowerCase()
}

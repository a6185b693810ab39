import type { Repository } from '../store/hosting/repositories.ts'
import { listSites, type Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { type CreateSiteDeps, requestSync } from './create-site.ts'

/** Most sites of one organization that are searched for followers of a branch. */
const sitesMax = 10_000

/** Queues a sync of every site that is read from a branch of a repository. @returns How many there are. */
export async function requestSyncsOfBranch(
  deps: Pick<CreateSiteDeps, 'store' | 'clock' | 'ids'>,
  { repository, branch }: { repository: Repository; branch: string },
): Promise<number> {
  const following = await listSitesOfBranch(deps.store, { repository, branch })
  for (const { id } of following) await requestSync(deps, id, 'source-changed')
  return following.length
}

/** Every site that is read from a branch of a repository on the built-in host. */
export async function listSitesOfBranch(
  store: Store,
  { repository, branch }: { repository: Repository; branch: string },
): Promise<Site[]> {
  const sites = await listSitesOfBuiltinRepository(store, repository)
  return sites.filter(({ source }) => (source.ref ?? repository.defaultBranch) === branch)
}

/** Every site that is read from a repository on the built-in host. */
export async function listSitesOfBuiltinRepository(
  store: Store,
  { organizationId, name }: Pick<Repository, 'organizationId' | 'name'>,
): Promise<Site[]> {
  const { items } = await listSites(store.durable, { organizationId, limit: sitesMax })
  return items.filter(({ source }) => source.kind === 'builtin' && source.location === name)
}

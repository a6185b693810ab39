import type { Repository } from '../../store/hosting/repositories.ts'
import { listSites, type Site } from '../../store/sites/sites.ts'
import type { ServerDeps } from '../server-deps.ts'

const sitesMax = 1_000

/** The sites that are read from a repository of the built-in host. */
export async function findSitesOfPullRequest(
  { store }: Pick<ServerDeps, 'store'>,
  repository: Repository,
): Promise<Site[]> {
  const { organizationId, name } = repository
  const { items } = await listSites(store.durable, { organizationId, limit: sitesMax })
  return items.filter(({ source }) => source.kind === 'builtin' && source.location === name)
}

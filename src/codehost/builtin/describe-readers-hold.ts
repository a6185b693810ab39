import { countAnswers } from '../../contract/counterfactual.ts'
import { countOf } from '../../contract/count-of.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { listComparisons } from '../../store/comparisons/comparisons.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { getRepository } from '../../store/hosting/repositories.ts'
import { listSites, type Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'

/** Most sites of one organization that are searched for those read from a repository. */
const sitesMax = 10_000

/**
 * Why a pull request must wait for its owner if a site requires that no answer gets worse; null if nothing holds it. An
 * outdated comparison says nothing, so changes wait until they are compared.
 */
export async function describeReadersHold(
  { store }: { store: Store },
  record: PullRequestRecord,
): Promise<string | null> {
  const demanding = await listDemandingSites(store, record)
  if (demanding.length === 0) return null
  const rows = await listComparisons(store.durable, record.id)
  for (const { id, slug } of demanding) {
    const result = rows.find(({ siteId }) => siteId === id)?.result ?? null
    if (result?.headCommit !== record.headCommit) {
      return `What the changes mean for readers of ${slug} is not known yet.`
    }
    const worse = countAnswers(result.comparison, 'worse')
    if (worse > 0) return `The changes make ${countOf(worse, 'answer')} to readers of ${slug} worse.`
  }
  return null
}

async function listDemandingSites(store: Store, { repositoryId, baseBranch }: PullRequestRecord): Promise<Site[]> {
  const repository = await getRepository(store.durable, repositoryId)
  if (repository === null) return []
  const { organizationId, name, defaultBranch } = repository
  const { items } = await listSites(store.durable, { organizationId, limit: sitesMax })
  return items.filter(({ source: { kind, location, ref }, settings }) => {
    const isRead = kind === 'builtin' && location === name && (ref ?? defaultBranch) === baseBranch
    return isRead && readSiteSettings(settings).requiresNoneWorse
  })
}

import { hideReaderQuestions } from '../../agent/counterfactual/describe-comparison.ts'
import type { ReadersChange } from '../../contract/counterfactual.ts'
import { listComparisons } from '../../store/comparisons/comparisons.ts'
import type { PullRequestRecord } from '../../store/hosting/pull-requests.ts'
import { getSite } from '../../store/sites/sites.ts'
import type { ServerDeps } from '../server-deps.ts'

/** @param isMember Whether questions of readers may be shown: whoever has the address of the page is not enough. */
export async function listReadersChanges(
  { store }: Pick<ServerDeps, 'store'>,
  { id, headCommit }: PullRequestRecord,
  isMember: boolean,
): Promise<ReadersChange[]> {
  const rows = await listComparisons(store.durable, id)
  const changes = await Promise.all(
    rows.map(async ({ siteId, result, runAt, failure }): Promise<ReadersChange[]> => {
      const site = await getSite(store.durable, siteId)
      if (site === null) return []
      const comparison =
        result === null || isMember ? (result?.comparison ?? null) : hideReaderQuestions(result.comparison)
      const state = runAt !== null ? 'waiting' : failure === null ? 'done' : 'failed'
      return [{ site: site.slug, state, failure, isCurrent: result?.headCommit === headCommit, comparison }]
    }),
  )
  return changes.flat()
}

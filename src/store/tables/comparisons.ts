import type { SiteComparison } from '../../contract/counterfactual.ts'
import { childOf, id, nullable, object, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

/** What a pull request changes for readers. */
export interface StoredComparison {
  /** The commits compared: the newest of the pull request, and where it left its base. */
  headCommit: string
  baseCommit: string
  comparison: SiteComparison
}

export const comparisonTables = {
  /** Pull requests of sites, to be compared with their base. The row is the queue entry. */
  comparisons: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** As its host names it. */
      pullRequestId: text(),
      /** The commit it was queued for; null if the host did not say. */
      headCommit: nullable(text()),
      /** Belongs to an earlier commit while a newer one is queued. */
      result: nullable(object<StoredComparison>()),
      /** A sentence. */
      failure: nullable(text()),
      ...queueColumns(),
      queuedAt: time(),
    },
    { unique: ['siteId', 'pullRequestId'], indexes: { due: queueIndex, byPullRequest: ['pullRequestId'] } },
  ),
}

import type { SuiteResult } from '../../contract/suite.ts'
import { childOf, id, integer, items, nullable, table, text, time } from './define-table.ts'

export const suiteTables = {
  /** Results of a site's tests, one row per index that they were asked with. */
  suiteRuns: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** It may have been deleted since. */
      generationId: text(),
      revision: text(),
      /** Set by the worker that runs it; after a while, another takes over. */
      claimedAt: time(),
      startedAt: time(),
      /** Null until it has ended, as are the counts before. */
      finishedAt: nullable(time()),
      passed: integer(),
      total: integer(),
      results: items<SuiteResult>(),
    },
    { unique: ['siteId', 'generationId'], indexes: { bySite: ['siteId', 'id'] } },
  ),
}

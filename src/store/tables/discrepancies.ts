import type { DiscrepancyDetails, DiscrepancyKind, DiscrepancyState } from '../../contract/discrepancies.ts'
import { boolean, childOf, id, nullable, object, table, text, time } from './define-table.ts'

export const discrepancyTables = {
  /** Outdated content in a site's documentation. */
  discrepancies: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      kind: text<DiscrepancyKind>(),
      /** Identifies the discrepancy within its site and kind: subject and page, and no commit, so that it stays ignored. */
      key: text(),
      subject: text(),
      /** Path of the page's file in the site's source. */
      page: text(),
      state: text<DiscrepancyState>(),
      isCertain: boolean(),
      details: object<DiscrepancyDetails>(),
      jobId: nullable(text()),
      /** When a rule last started a job. */
      ruledAt: nullable(time()),
      createdAt: time(),
      updatedAt: time(),
    },
    { unique: ['siteId', 'kind', 'key'], indexes: { bySite: ['siteId', 'state', 'id'] } },
  ),
}

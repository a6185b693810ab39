import type { SharedFilter } from '../../contract/insight-views.ts'
import { childOf, id, integer, nullable, object, table, text, time, unique } from './define-table.ts'

export const sharedViewTables = {
  /** Links that show numbers of the insights to anyone. */
  sharedViews: table(
    {
      id: id(),
      organizationId: childOf('organizations.id'),
      /** Hash of the link's token, which is not stored. */
      hash: unique(text()),
      name: text(),
      /** Null for all sites. A link goes with its site, so that it never widens to all. */
      siteId: nullable(childOf('sites.id')),
      days: integer(),
      filter: object<SharedFilter>(),
      /** Name of the member or key. */
      createdBy: text(),
      createdAt: time(),
      expiresAt: time(),
      revokedAt: nullable(time()),
    },
    { indexes: { byOrganization: ['organizationId', 'id'], bySite: ['siteId'] } },
  ),
}

import { childOf, id, nullable, object, table, text, time } from './define-table.ts'
import { queueColumns, queueIndex } from './queue-columns.ts'

/** The state of a product from which on changes are followed. */
export interface DriftOrigin {
  /** Its address and folder: another place is another product. */
  place: string
  commit: string
}

export const driftTables = {
  /** Comparisons of products with the documentation: of a site, or of a pull request. The row is the queue entry. */
  driftChecks: table(
    {
      id: id(),
      siteId: childOf('sites.id'),
      /** The product of the pull request; empty for the site's own row, which covers all products. */
      contextId: text(),
      /** As its host names it; empty for the site's own row. */
      pullRequestId: text(),
      /** The commit that a pull request was queued for; null if the host did not say. */
      headCommit: nullable(text()),
      /** By name of the product, so that its file of facts can be written again; null for pull requests. */
      productOrigins: nullable(object<Readonly<Record<string, DriftOrigin>>>()),
      /** Revision of the index that was checked last. */
      pagesRevision: nullable(text()),
      checkedAt: nullable(time()),
      /** A sentence. */
      failure: nullable(text()),
      ...queueColumns(),
      queuedAt: time(),
    },
    { unique: ['siteId', 'contextId', 'pullRequestId'], indexes: { due: queueIndex } },
  ),
}

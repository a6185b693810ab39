import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { Column } from '../../../ui/data-table.tsx'
import { say } from '../../../words/say.ts'

/** The column of lists that cover several sites. */
export function siteColumn<Row extends { siteId: string }>(sites: readonly SiteResource[]): Column<Row> {
  const nameOf = ({ siteId }: Row) => sites.find(({ id }) => id === siteId)?.name ?? '–'
  return { title: say('Site'), render: nameOf }
}

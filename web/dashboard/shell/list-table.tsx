import type { ReactNode } from 'react'
import { DataTable, type DataTableProps } from '../../ui/data-table.tsx'
import type { PagedList } from '../api/use-pages.ts'
import { Loaded } from './loaded.tsx'

export interface ListTableProps<Row> extends Omit<DataTableProps<Row>, 'rows' | 'pages' | 'keyOf'> {
  list: PagedList<Row>
  /** Shown if the list is empty. */
  empty: ReactNode
  skeleton?: ReactNode
}

/** A paginated list as a table. */
export function ListTable<Row extends { id: string }>({ list, empty, skeleton, ...table }: ListTableProps<Row>) {
  return (
    <Loaded query={list.query} skeleton={skeleton}>
      {({ items, nextCursor }) =>
        items.length === 0 && list.isFirst ? (
          empty
        ) : (
          <DataTable {...table} rows={items} keyOf={({ id }) => id} pages={list.toTablePages(nextCursor)} />
        )
      }
    </Loaded>
  )
}

import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Operation } from '../../../src/contract/operations/operation.ts'
import type { TablePages } from '../../ui/data-table.tsx'
import { type CallArguments, type ItemOf, queryOf, type Reply } from './call.ts'

export interface ListPage<Row> {
  items: readonly Row[]
  nextCursor: string | null
}

/** A paginated list. */
export interface PagedList<Row> {
  query: UseQueryResult<ListPage<Row>>
  /** Whether this is the first page: if it is empty, so is the list. */
  isFirst: boolean
  toTablePages(nextCursor: string | null): TablePages
}

export interface PageOptions<Called extends Operation, Row> {
  rowsOfPage?: number
  /** Keeps the cursor in the address, so that the page can be shared. Otherwise the cursor is lost on leaving. */
  address?: Pick<CursorState, 'shown' | 'show'>
  /** For replies whose rows are not called `items`. */
  toPage?(reply: Reply<Called>): ListPage<Row>
  /** Polling interval given the latest reply; false to stop. */
  refetchInterval?(reply: Reply<Called> | undefined): number | false
}

/** Reads the current page of a list. The previous page stays visible until it has loaded. */
export function usePages<Called extends Operation, Row = ItemOf<Called>>(
  operation: Called,
  input: CallArguments<Called>[0],
  { rowsOfPage = 50, address, toPage, refetchInterval }: PageOptions<Called, Row> = {},
): PagedList<Row> {
  const local = useState<string>()
  const { shown, show } = address ?? { shown: local[0], show: local[1] }
  const paged = { ...input, query: { limit: rowsOfPage, ...queryIn(input), cursor: shown } }
  const query = useQuery({
    ...queryOf(operation, ...([paged] as unknown as CallArguments<Called>)), // Every list takes `limit` and `cursor`.
    select: (reply) => toPage?.(reply) ?? (reply as ListPage<Row>), // Replies of lists are pages.
    refetchInterval: ({ state }) => refetchInterval?.(state.data) ?? false,
    placeholderData: keepPreviousData,
  })
  return { query, isFirst: shown === undefined, toTablePages: useTablePages({ shown, show }) }
}

function queryIn(input: object | undefined): object {
  return input !== undefined && 'query' in input ? { ...(input.query as object) } : {}
}

interface CursorState {
  /** Cursor of the current page; undefined for the first. */
  shown: string | undefined
  show(cursor: string | undefined): void
}

/** On a page opened by its address, “previous” leads to the first page. */
function useTablePages({ shown, show }: CursorState): (nextCursor: string | null) => TablePages {
  const [before, setBefore] = useState<readonly (string | undefined)[]>([])
  return (nextCursor) => ({
    hasPrevious: shown !== undefined,
    hasNext: nextCursor !== null,
    showPrevious: () => {
      setBefore(before.slice(0, -1))
      show(before.at(-1))
    },
    showNext: () => {
      if (nextCursor === null) return
      setBefore([...before, shown])
      show(nextCursor)
    },
  })
}

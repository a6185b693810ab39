import { useState } from 'react'
import type { Column } from './data-table.tsx'

export interface TableView<Row> {
  shown: readonly Column<Row>[]
  rows: readonly Row[]
  sort: Sort | null
  hidden: readonly string[]
  /** Ascending, then descending, then as the list came. */
  toggleSort(title: string): void
  toggleColumn(title: string): void
}

interface Sort {
  title: string
  isDescending: boolean
}

/** Sorting of a table, and its columns, which the browser remembers by the table's caption. */
export function useTableView<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): TableView<Row> {
  const [sort, setSort] = useState<Sort | null>(null)
  const [hidden, setHidden] = useState(() => readHidden(caption))
  const sortBy = columns.find(({ title }) => title === sort?.title)?.sortBy
  return {
    shown: columns.filter(({ title }, index) => index === 0 || !hidden.includes(title)),
    rows: sort === null || sortBy === undefined ? rows : sortRows(rows, sortBy, sort.isDescending),
    sort,
    hidden,
    toggleSort: (title) => setSort((sort) => nextSort(sort, title)),
    toggleColumn: (title) => {
      const next = hidden.includes(title) ? hidden.filter((each) => each !== title) : [...hidden, title]
      setHidden(next)
      writeHidden(caption, next)
    },
  }
}

function nextSort(sort: Sort | null, title: string): Sort | null {
  if (sort?.title !== title) return { title, isDescending: false }
  return sort.isDescending ? null : { title, isDescending: true }
}

type SortValue = string | number | null

/** Rows without a value come last in either direction. */
function sortRows<Row>(rows: readonly Row[], sortBy: (row: Row) => SortValue, isDescending: boolean): Row[] {
  const sign = isDescending ? -1 : 1
  return rows
    .map((row) => ({ row, value: sortBy(row) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return sign * compare(a.value, b.value)
    })
    .map(({ row }) => row)
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a).localeCompare(String(b), undefined, { numeric: true })
}

const storageName = (caption: string) => `docent-columns ${caption}`

function readHidden(caption: string): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageName(caption)) ?? '[]')
    return Array.isArray(stored) ? stored.filter((title) => typeof title === 'string') : []
  } catch {
    return [] // Browsers may forbid storage, and what it contains may be damaged.
  }
}

function writeHidden(caption: string, hidden: readonly string[]): void {
  try {
    localStorage.setItem(storageName(caption), JSON.stringify(hidden))
  } catch {
    // The choice then lasts as long as the page.
  }
}

import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import classes from './data-table.module.css'
import { joinClasses } from './join-classes.ts'

export interface Column<Row> {
  /** Column heading; on narrow screens, the label of each value. */
  title: string
  render(row: Row): ReactNode
  /** For columns of buttons: the title is only announced. */
  isTitleHidden?: boolean
  align?: 'start' | 'end'
}

export interface TablePages {
  hasPrevious: boolean
  hasNext: boolean
  showPrevious(): void
  showNext(): void
  /** Button labels; default `Newer` and `Older`. */
  previousLabel?: string
  nextLabel?: string
}

export interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  caption: string
  /** The first column names the row. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
  rows: readonly Row[]
  keyOf(row: Row): string
  pages?: TablePages
  isDimmed?(row: Row): boolean
}

/** A table, one server page at a time. On narrow screens each row becomes a card. */
export function DataTable<Row>({ caption, columns, rows, keyOf, pages, isDimmed }: DataTableProps<Row>) {
  const [head, ...others] = columns
  return (
    <div className={classes.frame}>
      <table className={classes.table}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isTitleHidden, align }) => (
              <th key={title} scope="col" className={joinClasses(align === 'end' && classes.end)}>
                <span className={joinClasses(isTitleHidden && classes.heard)}>{title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-row tabIndex={-1} className={joinClasses(isDimmed?.(row) && classes.dimmed)}>
              <th scope="row">{head.render(row)}</th>
              {others.map(({ title, render, isTitleHidden, align }) => (
                <td
                  key={title}
                  data-title={isTitleHidden ? '' : title}
                  className={joinClasses(align === 'end' && classes.end)}
                >
                  <div className={classes.value}>{render(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {pages !== undefined && (pages.hasNext || pages.hasPrevious) ? <Pager caption={caption} {...pages} /> : null}
    </div>
  )
}

function Pager({ caption, ...pages }: TablePages & { caption: string }) {
  const { hasPrevious, hasNext, showPrevious, showNext, previousLabel = 'Newer', nextLabel = 'Older' } = pages
  return (
    <nav className={classes.pager} aria-label={`Pages of ${caption}`}>
      <Button size="small" disabled={!hasPrevious} onClick={showPrevious}>
        <ChevronLeft size={16} aria-hidden /> {previousLabel}
      </Button>
      <Button size="small" disabled={!hasNext} onClick={showNext}>
        {nextLabel} <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  )
}

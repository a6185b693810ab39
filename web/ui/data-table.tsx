import { ChevronDown, ChevronLeft, ChevronRight, ChevronsUpDown, ChevronUp, Columns3 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from './button.tsx'
import classes from './data-table.module.css'
import { joinClasses } from './join-classes.ts'
import { Menu, MenuCheck } from './menu.tsx'
import { type TableView, useTableView } from './use-table-view.ts'
import { say } from '../words/say.ts'

export interface Column<Row> {
  /** Column heading; on narrow screens, the label of each value. */
  title: string
  render(row: Row): ReactNode
  /** For columns of buttons: the title is only announced. */
  isTitleHidden?: boolean
  align?: 'start' | 'end'
  /** Left out where the table has little room, unless rows are cards. */
  isExtra?: boolean
  /** In the first column: its first link leads to the row, and spans it. */
  linksRow?: boolean
  /** What rows are sorted by, in a list that is shown as a whole; null comes last. */
  sortBy?(row: Row): string | number | null
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
  /** Of a whole list: how many rows are shown at a time. Sorting applies to all of them. */
  rowsOfPage?: number
  isDimmed?(row: Row): boolean
  /** Few narrow columns, beside another table: rows become cards only in a narrow window. */
  isCompact?: boolean
  /** Buttons that act on the chosen rows. Rows can be chosen if it is given. */
  bulkActions?: ((rows: readonly Row[]) => ReactNode) | undefined
}

/** A table of a whole list, or of one page of a list. On narrow screens each row becomes a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, keyOf, pages: givenPages, rowsOfPage = Infinity, isDimmed, isCompact, bulkActions } = props
  const view = useTableView(caption, columns, props.rows)
  const local = useLocalPages(view.rows, rowsOfPage)
  const pages = givenPages ?? local.pages
  const { chosen, isChosen, toggle, setAll } = useSelection(props.rows, keyOf)
  const isWhole = givenPages === undefined || !(givenPages.hasNext || givenPages.hasPrevious)
  const [head, ...others] = [columns[0], ...view.shown.slice(1)]
  return (
    <div className={joinClasses(classes.frame, isCompact && classes.compact)}>
      {bulkActions === undefined || chosen.length === 0 ? null : (
        <SelectionBar count={chosen.length} onClear={() => setAll(false)}>
          {bulkActions(chosen)}
        </SelectionBar>
      )}
      <div className={classes.body}>
        <ColumnMenu caption={caption} columns={columns} view={view} />
        <table className={classes.table}>
          <caption className={classes.caption}>{caption}</caption>
          <thead>
            <tr>
              {view.shown.map((column, index) => (
                <HeadCell key={column.title} column={column} view={view} isSortable={isWhole && props.rows.length > 1}>
                  {index > 0 || bulkActions === undefined ? null : (
                    <input
                      type="checkbox"
                      aria-label={say('Select all rows')}
                      checked={chosen.length > 0 && chosen.length === props.rows.length}
                      onChange={({ target }) => setAll(target.checked)}
                    />
                  )}
                </HeadCell>
              ))}
            </tr>
          </thead>
          <tbody>
            {local.rows.map((row, index) => (
              <tr key={keyOf(row)} data-row tabIndex={-1} className={joinClasses(isDimmed?.(row) && classes.dimmed)}>
                <th scope="row">
                  <div className={classes.name}>
                    {bulkActions === undefined ? null : (
                      <input
                        type="checkbox"
                        data-select
                        aria-label={say('Select row {row}', { row: index + 1 })}
                        checked={isChosen(row)}
                        onChange={() => toggle(row)}
                      />
                    )}
                    <div className={joinClasses(classes.value, head.linksRow && classes.link)}>{head.render(row)}</div>
                  </div>
                </th>
                {others.map(({ title, render, isTitleHidden, align, isExtra }) => (
                  <td
                    key={title}
                    data-title={isTitleHidden ? '' : title}
                    className={joinClasses(align === 'end' && classes.end, isExtra && classes.extra)}
                  >
                    <div className={classes.value}>{render(row)}</div>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages.hasNext || pages.hasPrevious ? <Pager caption={caption} {...pages} /> : null}
    </div>
  )
}

interface HeadCellProps<Row> {
  column: Column<Row>
  view: TableView<Row>
  isSortable: boolean
  children: ReactNode
}

function HeadCell<Row>({ column, view: { sort, toggleSort }, isSortable, children }: HeadCellProps<Row>) {
  const { title, isTitleHidden, align, isExtra, sortBy } = column
  const direction = sort?.title !== title ? 'none' : sort.isDescending ? 'descending' : 'ascending'
  const maySort = isSortable && sortBy !== undefined
  return (
    <th
      scope="col"
      className={joinClasses(align === 'end' && classes.end, isExtra && classes.extra)}
      {...(maySort && { 'aria-sort': direction })}
    >
      {children}
      {maySort ? (
        <button type="button" className={classes.sort} onClick={() => toggleSort(title)}>
          {title}
          <SortIcon direction={direction} />
        </button>
      ) : (
        <span className={joinClasses(isTitleHidden && classes.heard)}>{title}</span>
      )}
    </th>
  )
}

function SortIcon({ direction }: { direction: 'none' | 'ascending' | 'descending' }) {
  const Icon = { none: ChevronsUpDown, ascending: ChevronUp, descending: ChevronDown }[direction]
  return <Icon size={13} aria-hidden />
}

interface SelectionBarProps {
  count: number
  onClear(): void
  children: ReactNode
}

function SelectionBar({ count, onClear, children }: SelectionBarProps) {
  return (
    <div className={classes.selection} role="toolbar" aria-label={say('Selected rows')}>
      <span role="status">{say('{count} selected', { count })}</span>
      {children}
      <Button size="small" look="quiet" data-deselect onClick={onClear}>
        {say('Clear')}
      </Button>
    </div>
  )
}

interface ColumnMenuProps<Row> {
  caption: string
  columns: readonly Column<Row>[]
  view: TableView<Row>
}

/** Fewer columns need no choice. */
const chosenColumnsMin = 4

function ColumnMenu<Row>({ caption, columns, view: { hidden, toggleColumn } }: ColumnMenuProps<Row>) {
  const choices = columns.slice(1).filter(({ isTitleHidden }) => isTitleHidden !== true)
  if (choices.length < chosenColumnsMin) return null
  return (
    <div className={classes.columns}>
      <Menu
        trigger={
          <IconButton size="small" label={say('Columns of {caption}', { caption })}>
            <Columns3 size={15} aria-hidden />
          </IconButton>
        }
      >
        {choices.map(({ title }) => (
          <MenuCheck key={title} isChecked={!hidden.includes(title)} onToggle={() => toggleColumn(title)}>
            {title}
          </MenuCheck>
        ))}
      </Menu>
    </div>
  )
}

/** Pages of rows that are all here. A list that has become shorter shows its last page. */
function useLocalPages<Row>(rows: readonly Row[], rowsOfPage: number): { rows: readonly Row[]; pages: TablePages } {
  const [wanted, setWanted] = useState(0)
  if (rows.length <= rowsOfPage) return { rows, pages: noPages }
  const page = Math.min(wanted, Math.ceil(rows.length / rowsOfPage) - 1)
  const pages = {
    hasPrevious: page > 0,
    hasNext: (page + 1) * rowsOfPage < rows.length,
    showPrevious: () => setWanted(page - 1),
    showNext: () => setWanted(page + 1),
    previousLabel: say('Previous'),
    nextLabel: say('Next'),
  }
  return { rows: rows.slice(page * rowsOfPage, (page + 1) * rowsOfPage), pages }
}

const noPages: TablePages = { hasPrevious: false, hasNext: false, showPrevious: () => {}, showNext: () => {} }

/** Rows chosen by their keys. A row that is no longer listed is no longer chosen. */
function useSelection<Row>(rows: readonly Row[], keyOf: (row: Row) => string) {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set())
  const isChosen = (row: Row) => keys.has(keyOf(row))
  const toggle = (row: Row) => {
    const next = new Set(keys)
    if (!next.delete(keyOf(row))) next.add(keyOf(row))
    setKeys(next)
  }
  const setAll = (isAll: boolean) => setKeys(new Set(isAll ? rows.map(keyOf) : []))
  return { chosen: keys.size === 0 ? [] : rows.filter(isChosen), isChosen, toggle, setAll }
}

function Pager({ caption, ...pages }: TablePages & { caption: string }) {
  const { hasPrevious, hasNext, showPrevious, showNext, previousLabel = say('Newer'), nextLabel = say('Older') } = pages
  return (
    <nav className={classes.pager} aria-label={say('Pages of {caption}', { caption })}>
      <Button size="small" disabled={!hasPrevious} onClick={showPrevious}>
        <ChevronLeft size={16} aria-hidden /> {previousLabel}
      </Button>
      <Button size="small" disabled={!hasNext} onClick={showNext}>
        {nextLabel} <ChevronRight size={16} aria-hidden />
      </Button>
    </nav>
  )
}

import { render, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Column, DataTable, type TablePages } from './data-table.tsx'

interface Fish {
  name: string
  length: number | null
}

const rows: Fish[] = [
  { name: 'Ray', length: 12 },
  { name: 'Cod', length: null },
  { name: 'Eel', length: 9 },
]
const plain = ['Sea', 'Depth', 'Diet'].map((title) => ({ title, render: () => title }))
const columns: [Column<Fish>, ...Column<Fish>[]] = [
  { title: 'Fish', sortBy: ({ name }) => name, render: ({ name }) => <a href={`/${name}`}>{name}</a> },
  { title: 'Length', sortBy: ({ length }) => length, render: ({ length }) => length ?? '–' },
  ...plain,
]
const keyOf = ({ name }: Fish) => name

const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

it('sorts by a column in both directions, with missing values last, and then as the list came', async () => {
  render(<DataTable caption="Fish" columns={columns} rows={rows} keyOf={keyOf} />)
  const button = screen.getByRole('button', { name: 'Length' })
  const orders: unknown[] = []

  for (let press = 0; press < 3; press++) {
    await userEvent.click(button)
    orders.push([names(), button.closest('th')?.getAttribute('aria-sort')])
  }

  expect(orders).toEqual([
    [['Eel', 'Ray', 'Cod'], 'ascending'],
    [['Ray', 'Eel', 'Cod'], 'descending'],
    [['Ray', 'Cod', 'Eel'], 'none'],
  ])
})

it('offers no order where only a part of the list is shown', () => {
  const pages: TablePages = { hasPrevious: false, hasNext: true, showPrevious: () => {}, showNext: () => {} }
  render(<DataTable caption="Fish" columns={columns} rows={rows} keyOf={keyOf} pages={pages} />)

  expect(screen.queryByRole('button', { name: 'Length' })).toBeNull()
})

it('sorts a whole list over all its pages, and shows the last page of one that has become shorter', async () => {
  const table = (shown: Fish[]) => (
    <DataTable caption="Fish" columns={columns} rows={shown} keyOf={keyOf} rowsOfPage={1} />
  )
  const { rerender } = render(table(rows))
  await userEvent.click(screen.getByRole('button', { name: 'Fish' }))
  const seen = [names()]
  for (let press = 0; press < 2; press++) {
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    seen.push(names())
  }
  expect(seen).toEqual([['Cod'], ['Eel'], ['Ray']])

  rerender(table(rows.slice(0, 2)))

  expect(names()).toEqual(['Ray'])
  expect(screen.getByRole('button', { name: 'Next' })).toHaveProperty('disabled', true)
})

it('remembers which columns are hidden', async () => {
  const table = <DataTable caption="Fish" columns={columns} rows={rows} keyOf={keyOf} />
  const { unmount } = render(table)
  await userEvent.click(screen.getByRole('button', { name: 'Columns of Fish' }))
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Depth' }))
  unmount()

  render(table)

  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Fish',
    'Length',
    'Sea',
    'Diet',
  ])
})

it('acts on the rows that are chosen and still listed', async () => {
  const bulkActions = (chosen: readonly Fish[]) => <p>{chosen.map(keyOf).join(' and ')}</p>
  const table = (rows: Fish[]) => (
    <DataTable caption="Fish" columns={columns} rows={rows} keyOf={keyOf} bulkActions={bulkActions} />
  )
  const { rerender } = render(table(rows))

  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all rows' }))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select row 1' }))
  const bar = within(screen.getByRole('toolbar', { name: 'Selected rows' }))
  bar.getByText('Cod and Eel')
  rerender(table(rows.slice(0, 2)))

  bar.getByText('1 selected')
  await userEvent.click(bar.getByRole('button', { name: 'Clear' }))
  expect(screen.queryByRole('toolbar')).toBeNull()
})

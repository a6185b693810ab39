import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { FilterChips } from './filter-chips.tsx'

async function openFilter(name: string) {
  const user = userEvent.setup()
  const applied: string[] = []
  const onValueChange = (value: string) => void applied.push(value)
  const filters = ['Page', 'Reader'].map((label) => ({ label, value: '', onValueChange }))
  render(<FilterChips label="Filters" filters={filters} />)
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('menuitem', { name }))
  await screen.findByRole('textbox', { name })
  return { user, applied }
}

it('forgets on Escape what was typed into a filter', async () => {
  const { user, applied } = await openFilter('Page')

  await user.keyboard('install{Escape}')

  expect(applied).toEqual([])
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Filter' }))
})

it('applies once on Enter what was typed into a filter', async () => {
  const { user, applied } = await openFilter('Page')

  await user.keyboard('install{Enter}')

  expect(applied).toEqual(['install'])
})

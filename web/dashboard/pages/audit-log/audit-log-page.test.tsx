import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { chooseFilter } from '../../testing/choose-filter.ts'
import { openPage } from '../../testing/open-page.tsx'
import { page, someTime } from '../../testing/samples.ts'

const entry = {
  id: 'entry_1',
  action: 'key-changed',
  actor: { kind: 'user' as const, id: 'user_1', name: '<img src=x>' },
  address: '192.0.2.1',
  target: { kind: 'key', id: 'key_1', name: 'Portal' },
  changes: [{ field: 'name', from: 'Shop', to: 'Portal' }],
  createdAt: someTime,
}

it('narrows the entries by what stands in the address, and says what was changed', async () => {
  const { user, service, container } = openPage('/default/audit-log', {
    listMembers: () => page([]),
    listAuditEntries: ({ query }) => page(query['until'] === undefined ? [entry] : []),
  })
  await screen.findByText('name: Shop → Portal')
  await screen.findByText('<img src=x>')
  expect(container.querySelector('main img')).toBeNull()

  await chooseFilter(user, 'Action', 'Invitation accepted')
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('menuitem', { name: 'To' }))
  fireEvent.change(await screen.findByLabelText('To'), { target: { value: '2020-01-01' } })
  await user.tab()
  await screen.findByText('No matching entries')

  expect(new URLSearchParams(location.search).get('action')).toBe('invitation-accepted')
  expect(service.sent.at(-1)?.query).toEqual({
    action: 'invitation-accepted',
    until: '2020-01-02T00:00:00.000Z',
    limit: '100',
  })
})

it('begins with what the address says, and keeps the page of the list in it', async () => {
  const { user, service } = openPage('/default/audit-log?action=key-changed', {
    listMembers: () => page([]),
    listAuditEntries: ({ query }) => ({ items: [entry], nextCursor: query['cursor'] === undefined ? 'next' : null }),
  })

  await user.click(await screen.findByRole('button', { name: 'Older' }))

  await screen.findByRole('button', { name: 'Newer' })
  expect(new URLSearchParams(location.search).get('cursor')).toBe('next')
  expect(service.sent.at(-1)?.query).toEqual({ action: 'key-changed', cursor: 'next', limit: '100' })
})

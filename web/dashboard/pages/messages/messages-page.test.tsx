import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { HandOverResource } from '../../../../src/contract/hand-over.ts'
import { openPage } from '../../testing/open-page.tsx'
import { page, someTime } from '../../testing/samples.ts'

const message: HandOverResource = {
  id: 'ho_1',
  siteId: 'site_1',
  threadId: 'thread_1',
  page: 'https://www.example.com/keys',
  fields: [{ label: 'Message', value: 'How do I rotate a key?' }],
  transcript: [],
  state: 'new',
  sends: [{ channel: 'email', state: 'failed', failure: 'The mail server answered 550.', url: null }],
  createdAt: someTime,
}

it('lists messages with what became of them, and marks and sends them', async () => {
  const { user, service } = openPage('/default/docs/messages', {
    listHandOvers: () => page([message]),
    updateHandOver: () => ({ ...message, state: 'done' }),
    retryHandOver: () => message,
  })
  const row = within((await screen.findByText(/How do I rotate a key/)).closest('tr') ?? document.body)
  row.getByText('The mail server answered 550.')
  expect(row.getByRole('link', { name: 'Conversation' }).getAttribute('href')).toContain('/conversations/thread_1')

  await user.click(row.getByRole('button', { name: 'Actions for the message' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Mark as done' }))
  await user.click(row.getByRole('button', { name: 'Actions for the message' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Send again' }))

  expect(service.bodies('updateHandOver')).toEqual([{ state: 'done' }])
  expect(service.sent.some(({ id }) => id === 'retryHandOver')).toBe(true)
})

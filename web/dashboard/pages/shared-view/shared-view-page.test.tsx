import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { PublicView } from '../../../../src/contract/insight-views.ts'
import { refuse } from '../../testing/fake-service.ts'
import { openPage } from '../../testing/open-page.tsx'
import { someTime } from '../../testing/samples.ts'

const total = { questions: 8, answered: 6, unanswered: 2, broken: 0, helpful: 1, unhelpful: 1 }
const view: PublicView = {
  name: 'Docs this month',
  organization: 'Acme',
  site: 'Docs',
  filter: { askedBy: 'people' },
  days: 30,
  from: '2026-02-01T00:00:00.000Z',
  to: someTime,
  expiresAt: someTime,
  total,
  before: { ...total, questions: 4 },
  buckets: [{ ...total, startsAt: '2026-02-03T00:00:00.000Z' }],
  bucket: 'day',
  firstTextMs: 900,
  byVerdict: [{ value: 'supported', questions: 6 }],
  byCaller: [{ value: 'widget', questions: 8 }],
}

it('shows the numbers to those who are not signed in, and sends no session', async () => {
  const { service } = openPage('/shared?token=secret', { role: null, getPublicView: () => view })

  await screen.findByRole('heading', { name: 'Docs this month' })

  const figures = within(screen.getByRole('region', { name: 'Figures' }))
  expect(figures.getByText('100%')).toBeDefined()
  expect(figures.queryByText('Cost')).toBeNull()
  expect(screen.getByText(/Docs, Acme · Last 30 days · People/)).toBeDefined()
  expect(service.sent.find(({ id }) => id === 'getPublicView')?.query).toEqual({ token: 'secret' })
})

it('says what to do with a link that does not work any more', async () => {
  openPage('/shared?token=old', {
    role: null,
    getPublicView: () => refuse(404, 'not_found', 'Ask whoever sent it for a new one.'),
  })

  await screen.findByRole('heading', { name: 'This link does not work' })
  expect(screen.getByText('Ask whoever sent it for a new one.')).toBeDefined()
})

import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Need, SiteActivity, SiteActivityCounts } from '../../../../src/contract/home.ts'
import { openPage } from '../../testing/open-page.tsx'
import { makeHome, someTime } from '../../testing/samples.ts'

const none: SiteActivityCounts = {
  questions: 0,
  answered: 0,
  unanswered: 0,
  helpful: 0,
  unhelpful: 0,
  costUsd: 0,
  firstTextMs: null,
}

/** Its sentences are of a newer service, which this dashboard shows as they are. */
const need = (part: Partial<Need>): Need => ({
  id: 'sync:site_1',
  kind: 'sync',
  tone: 'failed',
  siteId: 'site_1',
  title: 'The last sync failed',
  titleMessage: { code: 'newer', values: {} },
  detail: 'The repository refused the token.',
  detailMessages: [],
  since: someTime,
  subjectId: null,
  url: null,
  ...part,
})

const activity: SiteActivity = {
  siteId: 'site_1',
  current: { ...none, questions: 120, answered: 91, unanswered: 9, firstTextMs: 900, costUsd: 18.4 },
  previous: { ...none, questions: 100, answered: 97, unanswered: 3, firstTextMs: 900, costUsd: 0 },
  series: [none, { ...none, questions: 120 }],
  lastQuestion: { id: 'm', question: 'Why?', verdict: 'unanswered', source: null, askedAt: someTime },
}

it('lists what needs somebody, each with the action that settles it', async () => {
  const needs = [
    need({}),
    need({ id: 'job:j', kind: 'job', tone: 'warning', subjectId: 'job_9', title: 'A job failed: Fix it' }),
    need({
      id: 'pull-request:u',
      kind: 'pull-request',
      siteId: null,
      url: 'https://forge.example/1',
      title: 'A pull request is ready: B',
    }),
  ]
  openPage('/default', { getHome: () => makeHome({ needs }) })

  const list = within(await screen.findByRole('region', { name: 'Needs you' }))
  expect(list.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    '/dashboard/default/docs',
    '/dashboard/default/jobs/job_9',
    'https://forge.example/1',
  ])
  expect(list.getByText('All sites')).toBeDefined()
})

it('puts an item off until tomorrow, takes that back, and keeps it over a visit', async () => {
  const { user, unmount } = openPage('/default', { getHome: () => makeHome({ needs: [need({})] }) })
  const putOff = async () =>
    user.click(await screen.findByRole('button', { name: 'Snooze until tomorrow: The last sync failed' }))

  await putOff()
  expect(await screen.findByText('Nothing needs you')).toBeDefined()
  await user.click(await screen.findByRole('button', { name: /^Undo/ }))
  await putOff()
  unmount()
  openPage('/default', { getHome: () => makeHome({ needs: [need({})] }) })

  await user.click(await screen.findByRole('button', { name: 'Show 1 snoozed' }))
  expect(await screen.findByText('The last sync failed')).toBeDefined()
})

it('says what will be there when nothing needs anybody', async () => {
  openPage('/default')

  expect(await screen.findByText('Nothing needs you')).toBeDefined()
})

it('shows figures of each site against the time before, and the last question', async () => {
  const { service, user } = openPage('/default', { getHome: () => makeHome({ sites: [activity] }) })

  const figures = await screen.findByRole('link', { name: /^Insights of Docs/ })
  expect(figures.textContent).toMatch(/Questions120.*20%Answered91%.*6 pts/)
  expect(within(figures).getByText('First words').parentElement?.textContent).toContain('even')
  expect(screen.getByText('Why?').closest('p')?.textContent).toContain('not answered')

  await user.click(screen.getByRole('radio', { name: '30 days' }))
  expect(service.sent.filter(({ id }) => id === 'getHome').map(({ query }) => query)).toContainEqual({ days: '30' })
})

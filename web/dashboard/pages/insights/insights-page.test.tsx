import { act, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AskedQuestion, GapResource, InsightsSummary, Tally } from '../../../../src/contract/insights.ts'
import { openPage } from '../../testing/open-page.tsx'
import { makeKey, page, someTime } from '../../testing/samples.ts'

const asked: AskedQuestion = {
  id: 'message_1',
  siteId: 'site_1',
  threadId: 'thread_1',
  question: 'What is a flumox?',
  answer: '',
  verdict: 'unanswered',
  verdictReasons: [],
  feedback: 'none',
  caller: 'api',
  keyId: null,
  version: null,
  language: null,
  currentPath: null,
  sources: [],
  triedPaths: [],
  model: null,
  costUsd: null,
  timings: null,
  askedAt: someTime,
}
const gap: GapResource = {
  id: 'gap_1',
  siteId: 'site_1',
  state: 'open',
  jobId: null,
  name: asked.question,
  terms: ['flumox'],
  questions: [{ id: 'message_1', question: asked.question, verdict: 'unanswered' }],
  count: 1,
  unanswered: 1,
  unhelpful: 0,
  pagesTried: [],
  failure: null,
  commit: null,
  retried: [],
  firstAskedAt: someTime,
  lastAskedAt: someTime,
  createdAt: someTime,
  updatedAt: someTime,
}

it('keeps filters and the page of the list in the address, and begins anew with another filter', async () => {
  const { user, service } = openPage('/default/insights?view=questions&verdict=unanswered', {
    listQuestions: ({ query }) => ({ items: [asked], nextCursor: query['cursor'] === undefined ? 'next' : null }),
  })
  await user.click(await screen.findByRole('button', { name: 'Older' }))
  await screen.findByRole('button', { name: 'Newer' })
  expect(new URLSearchParams(location.search).get('cursor')).toBe('next')
  expect(screen.getByRole('button', { name: 'Answer Unanswered' })).toBeDefined()

  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Contains' }))
  await user.type(await screen.findByRole('textbox', { name: 'Contains' }), 'flumox{Enter}')
  await screen.findByRole('button', { name: 'Older' })

  expect(new URLSearchParams(location.search).has('cursor')).toBe(false)
  expect(service.sent.at(-1)?.query).toMatchObject({ verdict: 'unanswered', search: 'flumox', limit: '50' })
  expect(service.sent.at(-1)?.query).not.toHaveProperty('cursor')
})

it('adds, changes and removes filters by keyboard, and shows a day that was chosen in a chart', async () => {
  const { user, service } = openPage('/default/insights?view=questions&days=7&at=2026-03-01T00:00:00.000Z', {
    listQuestions: () => page([asked]),
    listKeys: () => page([makeKey({ id: 'key_9', name: 'Shop' })]),
  })
  await screen.findByRole('button', { name: 'Only Mar 1, 2026' })
  const sent = () => service.sent.findLast(({ id }) => id === 'listQuestions')?.query

  act(() => screen.getByRole('button', { name: 'Filter' }).focus())
  await user.keyboard('{Enter}')
  await screen.findByRole('menuitem', { name: 'Asked by' })
  await user.keyboard('Asked{ArrowRight}')
  await user.click(await screen.findByRole('menuitemradio', { name: 'People' }))
  await screen.findByRole('button', { name: 'Asked by People' })
  expect(sent()).toMatchObject({ askedBy: 'people', from: '2026-03-01T00:00:00.000Z' })

  await user.click(screen.getByRole('button', { name: 'Remove the filter Only' }))
  await user.click(screen.getByRole('button', { name: 'Asked by People' }))
  await user.click(await screen.findByRole('menuitemradio', { name: 'Agents' }))
  await screen.findByRole('button', { name: 'Asked by Agents' })

  expect(sent()).toMatchObject({ askedBy: 'agents' })
  expect(sent()).not.toHaveProperty('to')
})

it('leads from a question to its conversation, and to a file of the questions that are looked at', async () => {
  const { user } = openPage('/default/insights?view=questions&search=flumox', { listQuestions: () => page([asked]) })

  const row = within(await screen.findByRole('row', { name: /flumox/ }))

  expect(row.getByRole('link', { name: 'Conversation' }).getAttribute('href')).toBe(
    '/dashboard/default/docs/conversations/thread_1',
  )
  await user.click(screen.getByRole('button', { name: 'Export' }))
  const link = await screen.findByRole('menuitem', { name: /^CSV/ })
  const file = new URL(link.getAttribute('href') ?? '', location.origin)
  expect(file.pathname).toBe('/admin/v1/insights/export')
  expect(Object.fromEntries(file.searchParams)).toMatchObject({ search: 'flumox', format: 'csv' })
})

const dayMs = 86_400_000
const tally: Tally = { questions: 4, answered: 3, unanswered: 1, broken: 0, helpful: 0, unhelpful: 0, costUsd: 0 }

/** A week with twice as many questions as the one before, all of them on its first day. */
function summarize(query: Readonly<Record<string, string>>): InsightsSummary {
  const [from = '', to = new Date().toISOString()] = [query['from'], query['to']]
  const total = query['to'] === undefined ? { ...tally, questions: 8, answered: 8, unanswered: 0 } : tally
  return {
    from,
    to,
    bucket: 'day',
    total,
    playgroundAnswers: 0,
    playgroundCostUsd: 0,
    buckets: [{ ...total, startsAt: from }],
    byVerdict: [],
    byCaller: [],
    byVersion: [],
    byPage: [],
    durations: { firstTextMs: 900, totalMs: 1_200 },
  }
}

it('compares each figure and bar with the period before, up to the same time of its last day', async () => {
  const { service } = openPage('/default/insights?days=7', { getInsightsSummary: ({ query }) => summarize(query) })

  const figures = within(await screen.findByRole('region', { name: 'Figures' }))

  expect(await figures.findByText('100%')).toBeDefined() // Questions.
  expect(figures.getByText('25 pts')).toBeDefined() // Answered.
  expect(figures.getByText('even')).toBeDefined() // First words.
  const [now, before] = service.sent.filter(({ id }) => id === 'getInsightsSummary').map(({ query }) => query)
  const at = (time: string | undefined) => Date.parse(time ?? '')
  expect(at(now?.['from']) - at(before?.['from'])).toBe(7 * dayMs)
  expect(Math.abs(Date.now() - 7 * dayMs - at(before?.['to']))).toBeLessThan(660_000)
  expect(screen.getAllByRole('button', { name: /: Answered 8, .*Period before 4$/ })).toHaveLength(1)
})

it('leads by keyboard from a bar to the questions of its day', async () => {
  const { user, service } = openPage('/default/insights?days=7&caller=widget', {
    getInsightsSummary: ({ query }) => summarize(query),
    listQuestions: () => page([asked]),
  })
  const bars = within(await screen.findByRole('group', { name: 'Questions by day (UTC)' })).getAllByRole('button')
  expect(bars.filter(({ tabIndex }) => tabIndex === 0)).toEqual(bars.slice(-1))

  act(() => bars.at(-1)?.focus())
  await user.keyboard('{ArrowLeft}')
  expect(document.activeElement).toBe(bars.at(-2))
  expect(screen.getByText('Click to read the questions')).toBeDefined()
  await user.keyboard('{Home}{Enter}')

  await screen.findByRole('row', { name: /flumox/ })
  const sent = service.sent.findLast(({ id }) => id === 'listQuestions')?.query
  const from = sent?.['from'] ?? ''
  expect(sent).toMatchObject({ caller: 'widget', to: new Date(Date.parse(from) + dayMs).toISOString() })
  expect(new URLSearchParams(location.search).get('at')).toBe(from)
})

it('lists the gaps of all sites, and those of one state', async () => {
  const { user, service } = openPage('/default/insights?view=gaps', { listGaps: () => page([gap]) })
  expect(within(await screen.findByRole('row', { name: /flumox/ })).getByText('Docs')).toBeDefined()
  expect(service.sent.at(-1)?.query).not.toHaveProperty('siteId')

  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await screen.findByRole('menuitem', { name: 'State' })
  await user.keyboard('{ArrowDown}{ArrowRight}')
  await user.click(await screen.findByRole('menuitemradio', { name: 'Fixed' }))

  await screen.findByRole('button', { name: 'State Fixed' })
  expect(service.sent.findLast(({ id }) => id === 'listGaps')?.query).toMatchObject({ state: 'fixed' })
})

it('sorts gaps by what a heading names', async () => {
  const often = { ...gap, id: 'gap_2', name: 'Why?', count: 7 }
  const { user } = openPage('/default/insights?view=gaps', { listGaps: () => page([gap, often]) })
  const namesOf = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

  const heading = within(await screen.findByRole('columnheader', { name: 'Questions' })).getByRole('button')
  await user.click(heading)
  expect(namesOf()).toEqual([gap.name, 'Why?'])
  await user.click(heading)

  expect(namesOf()).toEqual(['Why?', gap.name])
})

it('starts a job with the prompt as it was edited', async () => {
  const { user, service } = openPage('/default/insights?view=gaps&gap=gap_1', {
    getGap: () => gap,
    draftGapJob: () => ({ site: 'docs', projectId: 'default', prompt: 'Write about flumox.' }),
    createGapJob: () => gap,
    listGaps: () => page([gap]),
  })
  await user.click(await screen.findByRole('button', { name: 'Draft job' }))
  const prompt = await screen.findByLabelText('Prompt')
  expect(prompt).toHaveProperty('value', 'Write about flumox.')
  await user.type(prompt, ' Be brief.')
  await user.click(screen.getByRole('button', { name: 'Start job' }))

  await screen.findByText('Job started.')
  expect(service.bodies('createGapJob')).toEqual([{ prompt: 'Write about flumox. Be brief.' }])
})

it('offers viewers nothing that they may not do', async () => {
  openPage('/default/insights?view=gaps&gap=gap_1', { role: 'viewer', getGap: () => gap })

  await screen.findByRole('heading', { name: /^Gap: / })

  const offered = within(screen.getByRole('main')).getAllByRole('button')
  expect(offered.map(({ textContent }) => textContent?.trim())).toEqual(['Views', 'All gaps'])
})

it('saves what is shown as a view of the member, opens it from another place, and deletes it with an undo', async () => {
  const views: { id: string; name: string; query: string; createdAt: string }[] = []
  const listSavedViews = () => ({ items: views })
  const { user, service } = openPage('/default/docs/insights?view=questions&verdict=unanswered&cursor=next', {
    listQuestions: () => page([asked]),
    listSavedViews,
    createSavedView: ({ body }) => {
      views.push({ id: 'view_1', createdAt: someTime, ...body })
      return listSavedViews()
    },
    deleteSavedView: () => {
      views.pop()
      return undefined as never
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Save this view' }))
  await user.type(await screen.findByLabelText('Name'), 'To write{Enter}')
  await screen.findByRole('button', { name: 'To write' })
  expect(service.bodies('createSavedView')).toEqual([
    { name: 'To write', query: 'view=questions&verdict=unanswered&site=docs' },
  ])

  await user.click(screen.getByRole('button', { name: 'Remove the filter Answer' }))
  await user.click(await screen.findByRole('button', { name: 'Views' }))
  await user.click(await screen.findByRole('menuitem', { name: 'To write' }))
  await screen.findByRole('button', { name: 'Answer Unanswered' })
  expect(location.pathname).toBe('/dashboard/default/insights')

  await user.click(screen.getByRole('button', { name: 'To write' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete this view' }))
  await user.click(await screen.findByRole('button', { name: /^Undo/ }))
  await screen.findByText('Undone.')
  expect(service.bodies('createSavedView')).toHaveLength(2)
})

it('shares numbers without the filters that somebody typed, says so, and revokes the link', async () => {
  const shared = {
    id: 'shared_1',
    name: 'All sites, last 30 days',
    siteId: null,
    days: 30,
    state: 'open' as const,
    createdBy: 'Ada',
    createdAt: someTime,
    expiresAt: someTime,
  }
  const { user, service } = openPage('/default/insights?view=questions&verdict=unanswered&search=secret', {
    listQuestions: () => page([asked]),
    listSharedViews: () => page([shared]),
    createSharedView: () => ({ ...shared, url: 'http://localhost/dashboard/shared?token=t' }),
    revokeSharedView: () => ({ ...shared, state: 'revoked' as const }),
  })
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  await screen.findByText(/The shared page ignores filters/)
  await user.click(screen.getByRole('button', { name: 'Create link' }))
  await screen.findByText('http://localhost/dashboard/shared?token=t')
  expect(service.bodies('createSharedView')).toEqual([
    { name: 'All sites, last 30 days', days: 30, expiresInDays: 30, verdict: 'unanswered' },
  ])

  await user.click(await screen.findByRole('button', { name: /^Revoke the link/ }))
  await screen.findByText('Link revoked.')
  expect(service.sent.find(({ id }) => id === 'revokeSharedView')?.params).toEqual({ id: 'shared_1' })
})

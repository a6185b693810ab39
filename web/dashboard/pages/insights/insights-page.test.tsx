import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AskedQuestion, GapResource } from '../../../../src/contract/insights.ts'
import { openPage } from '../../testing/open-page.tsx'
import { page, someTime } from '../../testing/samples.ts'

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
  reasked: [],
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
  expect(screen.getByLabelText('Answer')).toHaveProperty('value', 'unanswered')

  await user.type(screen.getByLabelText('Question contains'), 'flumox{Enter}')
  await screen.findByRole('button', { name: 'Older' })

  expect(new URLSearchParams(location.search).has('cursor')).toBe(false)
  expect(service.sent.at(-1)?.query).toMatchObject({ verdict: 'unanswered', search: 'flumox', limit: '50' })
  expect(service.sent.at(-1)?.query).not.toHaveProperty('cursor')
})

it('leads from a question to its conversation, and to a file of the questions that are looked at', async () => {
  openPage('/default/insights?view=questions&search=flumox', { listQuestions: () => page([asked]) })

  const row = within(await screen.findByRole('row', { name: /flumox/ }))

  expect(row.getByRole('link', { name: 'Conversation' }).getAttribute('href')).toBe(
    '/dashboard/default/docs/conversations/thread_1',
  )
  const file = new URL(screen.getByRole('link', { name: 'Export CSV' }).getAttribute('href') ?? '', location.origin)
  expect(file.pathname).toBe('/admin/v1/insights/export')
  expect(Object.fromEntries(file.searchParams)).toMatchObject({ search: 'flumox', format: 'csv' })
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
  expect(offered.map(({ textContent }) => textContent?.trim())).toEqual(['All gaps'])
})

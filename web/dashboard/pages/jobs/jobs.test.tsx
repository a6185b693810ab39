import { act, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { encodeAgentJobEvent } from '../../../../src/contract/agent-job-event.ts'
import { chooseFilter } from '../../testing/choose-filter.ts'
import { refuse } from '../../testing/fake-service.ts'
import { openPage, type PageOptions } from '../../testing/open-page.tsx'
import { makeJob } from '../../testing/samples.ts'

const failed = makeJob({
  id: 'job_2',
  status: 'failed',
  prompt: 'Make everything nicer',
  branch: 'docent/nicer',
  failure: { code: 'model_required', message: 'Set DOCENT_MODEL for a language model.' },
})
const agent: PageOptions = {
  getAgentOptions: () => ({
    model: 'docent/offline',
    models: ['docent/offline'],
    isOffline: true,
    budget: { steps: 40, tokens: 1_000, minutes: 10, costUsd: 1 },
  }),
  followJob: () => new Response(''),
  getJobDiff: () => refuse(404, 'not_found', 'Nothing was changed.'),
}
const listJobs: PageOptions['listJobs'] = ({ query }) => {
  const jobs = [makeJob(), failed].filter(
    ({ status, prompt }) => (query['status'] ?? status) === status && prompt.includes(query['search'] ?? ''),
  )
  return { jobs, nextCursor: null }
}

it('are narrowed by what stands in the address, which the way back leads to', async () => {
  const { user, router } = openPage('/default/jobs', { ...agent, listJobs, findJob: () => makeJob() })
  await screen.findByRole('row', { name: /Make everything nicer/ })

  await chooseFilter(user, 'Status', 'Completed')
  await screen.findByRole('row', { name: /press/ })
  expect(screen.queryByRole('row', { name: /Make everything nicer/ })).toBeNull()
  await user.type(screen.getByLabelText('Text'), 'press{Enter}')
  await user.click(within(await screen.findByRole('row', { name: /press/ })).getByRole('link', { name: /press/ }))
  await screen.findByRole('heading', { name: 'Steps' })
  act(() => router.history.back())

  await screen.findByRole('row', { name: /press/ })
  screen.getByRole('button', { name: 'Status Completed' })
  expect(screen.getByLabelText('Text')).toHaveProperty('value', 'press')
  await user.clear(screen.getByLabelText('Text'))
  await user.type(screen.getByLabelText('Text'), 'nothing like it{Enter}')
  await screen.findByText('No matching jobs')
  await user.click(screen.getByRole('button', { name: 'Remove the filter Status' }))
  await screen.findByRole('button', { name: 'Status Any' })
})

it('that could not be done say what to do', async () => {
  const { unmount } = openPage('/default/jobs/job_2', { ...agent, findJob: () => failed })
  expect((await screen.findByRole('alert')).textContent).toContain('DOCENT_MODEL')
  expect(screen.queryByLabelText('Pull request')).toBeNull()
  unmount()

  openPage('/default/jobs/job_unknown', { findJob: () => refuse(404, 'not_found', 'There is no job job_unknown.') })

  await screen.findByText('There is no job job_unknown.')
})

it('show their events once each, also where a stream was cut', async () => {
  const events = [
    encodeAgentJobEvent(1, { type: 'text-written', text: 'I read the page.' }),
    encodeAgentJobEvent(2, { type: 'text-written', text: 'I change it.' }),
  ]
  const { service } = openPage('/default/jobs/job_1', {
    ...agent,
    findJob: () => makeJob(),
    // The first stream breaks within the second event; the next begins with what came before.
    followJob: () =>
      service.sent.filter(({ id }) => id === 'followJob').length === 1
        ? cutStream(`${events[0]}${events[1]?.slice(0, 20)}`)
        : new Response(events.join('')),
  })

  await screen.findByText('I change it.')

  expect(screen.getAllByText('I read the page.')).toHaveLength(1)
  const asked = service.sent.filter(({ id }) => id === 'followJob').map(({ headers }) => headers.get('last-event-id'))
  expect(asked).toEqual(['0', '1'])
})

it('can be cancelled, and go on with a further message', async () => {
  let job = makeJob({ status: 'active' })
  const { user, service } = openPage('/default/jobs/job_1', {
    ...agent,
    findJob: () => job,
    cancelJob: () => (job = makeJob({ status: 'failed', failure: { code: 'cancelled', message: 'Cancelled.' } })),
    sendJobMessage: () => (job = makeJob({ status: 'active' })),
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel job' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel job' }))

  await screen.findByText('Job cancelled.')
  await user.type(screen.getByLabelText('Follow-up message'), 'Go on')
  await user.click(screen.getByRole('button', { name: 'Send' }))

  await screen.findByRole('button', { name: 'Cancel job' })
  expect(screen.getByLabelText('Follow-up message')).toHaveProperty('value', '')
  expect(service.bodies('sendJobMessage')).toMatchObject([{ prompt: 'Go on' }])
})

it('show to viewers, who begin, continue and end none', async () => {
  const viewer: PageOptions = { ...agent, role: 'viewer', listJobs, findJob: () => makeJob({ status: 'active' }) }
  const first = openPage('/default/jobs/job_1', viewer)
  await screen.findByRole('heading', { name: 'Steps' })
  expect(screen.queryByRole('button', { name: /Merge|Archive|Cancel job|Send/ })).toBeNull()
  first.unmount()
  const second = openPage('/default/jobs', viewer)
  await screen.findByRole('row', { name: /press/ })
  expect(screen.queryByRole('link', { name: 'New job' })).toBeNull()
  second.unmount()

  openPage('/default/jobs/new', viewer)

  await screen.findByText(/^As a viewer/)
})

it('are begun once, also where the form is sent again after an answer that was lost', async () => {
  const { user, service } = openPage('/default/jobs/new', {
    ...agent,
    findJob: () => makeJob(),
    createJob: () =>
      service.bodies('createJob').length === 1 ? refuse(503, 'draining', 'Try again in a moment.') : makeJob(),
  })
  await user.type(await screen.findByLabelText('What to change'), 'Replace it.')
  await user.click(screen.getByRole('button', { name: 'Start job' }))
  await screen.findByText('Try again in a moment.')
  await user.click(screen.getByRole('button', { name: 'Start job' }))

  await screen.findByRole('heading', { name: 'Steps' })
  const keys = service.sent.filter(({ id }) => id === 'createJob').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
})

/** A body that breaks off after this text. */
function cutStream(text: string): Response {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => controller.error(new TypeError('network error')),
  })
  return new Response(body)
}

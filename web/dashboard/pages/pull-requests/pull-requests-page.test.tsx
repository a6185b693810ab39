import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { PullRequestResource } from '../../../../src/contract/pull-requests.ts'
import { chooseFilter } from '../../testing/choose-filter.ts'
import { openPage } from '../../testing/open-page.tsx'
import { page, someTime } from '../../testing/samples.ts'

const commit = 'a'.repeat(40)

function makePullRequest(part: Partial<PullRequestResource>): PullRequestResource {
  return {
    id: 'pr_1',
    number: 1,
    repository: 'default/docs',
    url: 'http://localhost:3000/pull-requests/pr_1',
    state: 'open',
    draft: false,
    title: 'Press',
    body: '',
    head: { branch: 'docent/press', commit },
    base: { branch: 'main', commit },
    mergeCommit: null,
    jobId: null,
    hold: null,
    checks: [],
    createdAt: someTime,
    updatedAt: someTime,
    endedAt: null,
    ...part,
  }
}

function serve(): PullRequestResource[] {
  return [makePullRequest({}), makePullRequest({ id: 'pr_2', number: 2, title: 'Pass' })]
}

it('are merged by an owner with a reason if a check failed', async () => {
  const hold = 'A check failed.'
  const { user, service } = openPage('/default/pull-requests', {
    listRepositories: () => page([]),
    listPullRequests: () => page([makePullRequest({ hold })]),
    mergePullRequest: () => makePullRequest({ hold, state: 'merged' }),
  })

  await user.click(await screen.findByRole('button', { name: /^Actions/ }))
  await user.click(await screen.findByRole('menuitem', { name: /Merge/ }))
  const dialog = within(await screen.findByRole('dialog'))
  dialog.getByText(hold)
  expect(dialog.getByRole('button', { name: 'Merge' })).toHaveProperty('disabled', true)
  await user.type(dialog.getByLabelText('Reason for merging anyway'), 'It is fine.')
  await user.click(dialog.getByRole('button', { name: 'Merge' }))

  await screen.findByText(/^Merged\./)
  expect(service.bodies('mergePullRequest')).toMatchObject([{ head: commit, override: 'It is fine.' }])
})

it('are merged at the commit that was read, and closed', async () => {
  const all = serve()
  const end = (id: string | undefined, state: 'merged' | 'closed') => {
    const ended = all.find((each) => each.id === id) ?? makePullRequest({})
    return Object.assign(ended, { state, endedAt: someTime })
  }
  const { user, service } = openPage('/default/pull-requests', {
    listRepositories: () => page([]),
    listPullRequests: ({ query }) => page(all.filter(({ state }) => (query['state'] ?? state) === state)),
    mergePullRequest: ({ params }) => end(params['id'], 'merged'),
    closePullRequest: ({ params }) => end(params['id'], 'closed'),
  })
  const act = async (name: RegExp, item: RegExp) => {
    const row = within(await screen.findByRole('row', { name }))
    await user.click(row.getByRole('button', { name: /^Actions/ }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
  }

  await act(/Press/, /Merge/)
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Merge' }))
  await within(await screen.findByRole('row', { name: /Press/ })).findByText('Merged')
  await act(/Pass/, /Close/)
  await within(await screen.findByRole('row', { name: /Pass/ })).findByText('Closed')

  expect(service.bodies('mergePullRequest')).toMatchObject([{ head: commit }])
  await chooseFilter(user, 'State', 'Merged')
  await screen.findByRole('row', { name: /Press/ })
  expect(screen.queryByRole('row', { name: /Pass/ })).toBeNull()
})

it('show to viewers, who end none', async () => {
  openPage('/default/pull-requests', {
    role: 'viewer',
    listRepositories: () => page([]),
    listPullRequests: () => page(serve()),
  })

  await screen.findByRole('row', { name: /Press/ })

  expect(screen.queryByRole('button', { name: /^Actions/ })).toBeNull()
})

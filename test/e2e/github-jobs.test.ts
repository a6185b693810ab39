import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createLog } from '../../src/telemetry/log.ts'
import { createJob, finishJob, readEvents, sendToJob } from '../support/agent-jobs.ts'
import { type ConnectedDocent, startConnectedDocent } from '../support/connected-forge.ts'
import { type GithubServer, removeGithubTemplate, startGithubServer } from '../support/github-server.ts'
import { asAdmin } from '../support/pull-requests.ts'

// A job runs many git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: ConnectedDocent
let github: GithubServer
/** While it is true, GitHub opens no pull request. */
let isLimited = false
const logged: string[] = []

/** A log that keeps the names of its events. */
const watchingLog = createLog('info', {
  write: (line) => void logged.push((JSON.parse(line) as { event: string }).event), // Every line has one.
})

beforeAll(async () => {
  github = await startGithubServer({
    intercept: ({ route }) => {
      if (!isLimited || route !== 'POST /repos/{owner}/{repo}/pulls') return null
      return { status: 429, headers: { 'retry-after': '600' } }
    },
  })
  docent = await startConnectedDocent({ log: watchingLog })
  const { origin, path, app } = github
  const stored = { kind: 'github', origin, ...app, slug: 'docent-acme', hasVerifiedCommits: true }
  await store('/admin/v1/code-host-apps', stored)
  const site = { slug: 'handbook', name: 'Handbook', source: { kind: 'github', location: `${origin}/${path}` } }
  await store('/admin/v1/sites', site)
  await docent.waitForRevision('handbook', github.state.repository.readRef('refs/heads/main'))
})
afterAll(async () => {
  await docent.remove()
  await github.stop()
  await removeGithubTemplate()
})

async function store(path: string, body: object): Promise<void> {
  const response = await docent.post(path, body, asAdmin)
  if (response.status !== 201) throw new Error(await response.text())
}

/** Messages of the commits that a branch has beyond main, newest first, and who made them. */
function readBranch(branch: string): { titles: string[]; text: string } {
  const { repository } = github.state
  const tip = repository.readRef(`refs/heads/${branch}`) ?? ''
  const titles: string[] = []
  for (let id = tip; !repository.isAncestor(id, 'main'); id = repository.readCommit(id)?.parents[0] ?? '') {
    titles.push(repository.readCommit(id)?.message.split('\n')[0] ?? '')
  }
  return { titles, text: repository.readFile(tip, 'page.md').toString() }
}

it('a job whose delivery breaks off after the push ends in one branch state and one pull request of signed commits', async () => {
  isLimited = true
  const { id } = await createJob(docent, 'Replace "Old" by "New" on every page.', { site: 'handbook' })
  while (!logged.includes('job-failed')) await wait(20)
  isLimited = false
  docent.advance(11 * 60_000)

  const job = await finishJob(docent, id)

  expect(job).toMatchObject({ status: 'completed', failure: null, source: { repository: 'acme/docs', ref: 'main' } })
  expect(job.prLink).toBe(`${github.origin}/acme/docs/pull/1`)
  expect(readBranch(job.branch ?? '')).toMatchObject({ titles: [expect.any(String)], text: 'New\n' })
  expect(github.state.pulls.list({ head: null, state: 'all' })).toHaveLength(1)
  const events = (await readEvents(docent, id)).map(({ event }) => event)
  const pushed = events.flatMap((event) => (event.type === 'branch-pushed' ? [event.commit] : []))
  // Both deliveries tell of the same commit: the one that GitHub made.
  expect(new Set(pushed)).toEqual(new Set([github.state.repository.readRef(`refs/heads/${job.branch}`)]))
  expect(pushed).toHaveLength(2)

  await sendToJob(docent, id, 'message', { prompt: 'Replace "New" by "Newer" on every page.' })
  const followed = await finishJob(docent, id)

  expect(followed).toMatchObject({ status: 'completed', prLink: job.prLink, branch: job.branch })
  expect(readBranch(job.branch ?? '')).toMatchObject({
    titles: [expect.any(String), expect.any(String)],
    text: 'Newer\n',
  })
  expect(github.state.pulls.list({ head: null, state: 'all' })).toHaveLength(1)
  expect(github.violations).toEqual([])
})

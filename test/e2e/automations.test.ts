import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  type AutomationResource,
  automationListSchema,
  automationRunListSchema,
  type AutomationRunResource,
  automationRunSchema,
  automationSchema,
} from '../../src/contract/automations.ts'
import { contextRepositoryCheckedSchema } from '../../src/contract/context-repositories.ts'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { listAgentJobMessages } from '../../src/store/agent/agent-job-messages.ts'
import { finishJob, readEvents } from '../support/agent-jobs.ts'
import { cloneRepository } from '../support/git-client.ts'
import { createGitRepository, type GitRepository } from '../support/git-repository.ts'
import { addressOf, asAdmin } from '../support/pull-requests.ts'
import { type Docent, startDocent } from '../support/start-docent.ts'

// Each test waits for git and for jobs, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: Docent
let product: GitRepository
beforeAll(async () => {
  // Nothing is polled, so that what happens was told.
  docent = await startDocent({ env: { DOCENT_POLL_MINUTES: '0' } })
  product = await createGitRepository()
  await product.write('src/x.ts', 'export const port = 4000\n')
  product.commit('Begin')
  const imported = await docent.post('/admin/v1/repositories', { name: 'product', from: product.folder }, asAdmin)
  if (!imported.ok) throw new Error(await imported.text())
})
afterAll(async () => {
  await docent.remove()
  await product.remove()
})

const contexts = '/admin/v1/sites/docs/context-repositories'
const send = (method: string, path: string, body?: object) =>
  fetch(docent.url + path, {
    method,
    headers: { 'content-type': 'application/json', ...asAdmin },
    ...(body && { body: JSON.stringify(body) }),
  })
const failureOf = async (response: Response) => errorBodySchema.parse(await response.json())

async function addAutomation(change: object): Promise<AutomationResource> {
  const body = { site: 'docs', name: 'Keep up', trigger: { type: 'manual' }, ...change }
  const response = await send('POST', '/admin/v1/automations', body)
  if (response.status !== 201) throw new Error(await response.text())
  return automationSchema.parse(await response.json())
}

async function listRuns(id: string): Promise<AutomationRunResource[]> {
  return automationRunListSchema.parse(await (await send('GET', `/admin/v1/automations/${id}/runs`)).json()).items
}

/** The newest run, once there are so many and it was decided. */
async function nextRun(id: string, count: number): Promise<AutomationRunResource> {
  for (;;) {
    const [newest, ...others] = await listRuns(id)
    if (newest !== undefined && others.length >= count - 1 && newest.state !== 'queued') return newest
    await wait(50)
  }
}

async function runNow(id: string): Promise<AutomationRunResource> {
  const before = (await listRuns(id)).length
  automationRunSchema.parse(await (await send('POST', `/admin/v1/automations/${id}/run`)).json())
  return nextRun(id, before + 1)
}

interface PullRequestRow {
  id: string
  url: string
}

async function findPullRequest(url: string | null): Promise<PullRequestRow> {
  const { items } = (await (await send('GET', '/admin/v1/pull-requests?limit=200')).json()) as {
    items: PullRequestRow[]
  }
  const found = items.find((each) => each.url === url)
  if (found === undefined) throw new Error(`There is no pull request ${url}.`)
  return found
}

async function endPullRequest(url: string | null, how: 'merge' | 'close'): Promise<void> {
  const { id } = await findPullRequest(url)
  const ended = await send('POST', `/admin/v1/pull-requests/${id}/${how}`, {})
  expect([ended.status, await ended.text()]).toEqual([200, expect.any(String)])
}

/** A change of a repository that a person merges. */
async function mergeByHand(name: string, branch: string, path: string, text: string): Promise<void> {
  const client = await cloneRepository(addressOf(docent, { name }))
  await client.git('checkout', '--quiet', '-b', branch)
  await client.write(path, text)
  await client.commit(`Change ${path} by ${branch}`)
  await client.git('push', '--quiet', 'origin', branch)
  await client.remove()
  const opened = await send('POST', '/admin/v1/pull-requests', { repository: name, branch, title: branch })
  const { id } = (await opened.json()) as { id: string }
  expect((await send('POST', `/admin/v1/pull-requests/${id}/merge`, {})).status).toBe(200)
}

it('refuses a context repository that cannot be read, and keeps one that can', async () => {
  const source = { kind: 'builtin', location: 'default/product', subdirectory: 'src' }

  const missing = await send('POST', contexts, { name: 'gone', source: { ...source, location: 'default/gone' } })
  const folder = await send('POST', contexts, { name: 'x', source: { ...source, subdirectory: 'nowhere' } })
  const crawl = await send('POST', contexts, { name: 'x', source: { kind: 'crawl', location: 'https://example.com' } })
  const named = await send('POST', contexts, { name: 'Pro/duct', source })
  const added = await send('POST', contexts, { name: 'product', source })
  const again = await send('POST', contexts, { name: 'product', source })

  expect([missing, folder, crawl, named, again].map(({ status }) => status)).toEqual([404, 400, 400, 400, 409])
  expect(added.status).toBe(201)
  expect(contextRepositoryCheckedSchema.parse(await added.json())).toMatchObject({
    name: 'product',
    hasCredential: false,
    commit: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  const listed = await (await send('GET', contexts)).json()
  expect(listed).toMatchObject({ items: [{ name: 'product', source }] })
})

it('makes a pull request after a merge in a context repository, and adds to it after the next', async () => {
  const automation = await addAutomation({
    prompt: 'Set the description of page guides/printers to {{to}}.',
    trigger: { type: 'merge', repository: 'product' },
  })
  expect(automation.trigger).toEqual({ type: 'merge', repository: 'product' })
  await mergeByHand('default/product', 'one', 'src/x.ts', 'export const port = 4001\n')

  const first = await nextRun(automation.id, 1)
  expect(first).toMatchObject({ state: 'started', cause: 'merge' })
  const done = await finishJob(docent, first.jobId ?? '')
  expect(done).toMatchObject({ status: 'completed', pullRequest: { state: 'open' } })
  expect(done.prompt).toBe(`Set the description of page guides/printers to "${first.to?.slice(0, 12)}".`)
  const pin = { name: 'product', repository: 'default/product', commit: first.to, problem: null }
  expect(done.contextRepositories).toEqual([pin])
  const events = await readEvents(docent, done.id)
  expect(events.find(({ event }) => event.type === 'job-started')?.event).toMatchObject({ contextRepositories: [pin] })

  // A person goes on with the branch; what comes next stands on that.
  const client = await cloneRepository(addressOf(docent))
  await client.git('checkout', '--quiet', done.branch)
  await client.write('by-hand.mdx', '---\ntitle: By hand\n---\n\nWords.\n')
  const byHand = await client.commit('By hand')
  await client.git('push', '--quiet', 'origin', done.branch)
  await mergeByHand('default/product', 'two', 'src/x.ts', 'export const port = 4002\n')

  const second = await nextRun(automation.id, 2)
  expect(second).toMatchObject({ state: 'started', cause: 'merge', jobId: done.id, from: first.to })
  const continued = await finishJob(docent, done.id)
  expect(continued).toMatchObject({ status: 'completed', prLink: done.prLink, branch: done.branch })
  await client.git('fetch', '--quiet')
  expect(await client.git('rev-list', '--count', `main..origin/${done.branch}`)).toBe('3')
  await client.git('merge-base', '--is-ancestor', byHand, `origin/${done.branch}`)
  await client.remove()
  const { items } = (await (await send('GET', '/admin/v1/pull-requests?repository=default/docs&limit=200')).json()) as {
    items: { state: string }[]
  }
  expect(items.filter(({ state }) => state === 'open')).toHaveLength(1)

  const removed = await send('DELETE', `${contexts}/product`)
  expect([removed.status, (await failureOf(removed)).error]).toEqual([409, expect.stringContaining('Keep up')])
  await endPullRequest(done.prLink, 'close')
  expect((await send('DELETE', `/admin/v1/automations/${automation.id}`)).status).toBe(204)
})

it('is not started by the merge of what it did itself', async () => {
  const automation = await addAutomation({
    prompt: 'Set the description of page guides/printers to {{to}}.',
    trigger: { type: 'push' },
  })
  await mergeByHand('default/docs', 'person', 'notes.mdx', '---\ntitle: Notes\n---\n\nWords.\n')
  const first = await nextRun(automation.id, 1)
  const done = await finishJob(docent, first.jobId ?? '')

  await endPullRequest(done.prLink, 'merge')

  const second = await nextRun(automation.id, 2)
  expect(second).toMatchObject({ state: 'skipped', jobId: null })
  expect(second.outcome).toBe('All changes since the last run were made by automations.')
  expect((await send('PATCH', `/admin/v1/automations/${automation.id}`, { enabled: false })).status).toBe(200)
})

it('begins anew after its pull request was closed, tells what it was, and keeps to its limit of runs', async () => {
  const prompt = 'Set the description of page guides/printers to "Closed".'
  const automation = await addAutomation({ prompt, runsPerDayMax: 2 })
  const first = await finishJob(docent, (await runNow(automation.id)).jobId ?? '')
  await endPullRequest(first.prLink, 'close')

  const second = await finishJob(docent, (await runNow(automation.id)).jobId ?? '')
  const third = await runNow(automation.id)

  expect(second.id).not.toBe(first.id)
  expect(second.prLink).not.toBe(first.prLink)
  const [message] = await listAgentJobMessages(docent.service.store.durable, second.id, 0)
  expect(message?.context[0]?.value).toMatch(/closed without being merged.*guides\/printers\.mdx/)
  expect(third).toMatchObject({ state: 'skipped', outcome: expect.stringContaining('2 times today') })
})

it('opens no pull request where nothing changes, and makes one run of one Idempotency-Key', async () => {
  const automation = await addAutomation({ prompt: 'Replace "xyzzy-nowhere" by "plugh" on every page.' })
  const path = `${docent.url}/admin/v1/automations/${automation.id}/run`
  const ask = () =>
    fetch(path, {
      method: 'POST',
      headers: { ...asAdmin, 'idempotency-key': 'once', 'content-type': 'application/json' },
    })

  const asked = await Promise.all([ask(), ask(), ask()])

  expect(asked.map(({ status }) => status)).toEqual([201, 201, 201])
  const run = await nextRun(automation.id, 1)
  expect(await finishJob(docent, run.jobId ?? '')).toMatchObject({ status: 'completed', prLink: null })
})

it('refuses what can never run', async () => {
  const ask = async (change: object) => {
    const body = { site: 'docs', name: 'X', prompt: 'Do it.', trigger: { type: 'manual' }, ...change }
    const response = await send('POST', '/admin/v1/automations', body)
    return [response.status, (await failureOf(response)).error]
  }

  expect(await ask({ prompt: 'Read {{commits}}.' })).toEqual([400, expect.stringContaining('{{commits}}')])
  expect(await ask({ prompt: 'Read {{secrets}}.', trigger: { type: 'push' } })).toEqual([
    400,
    expect.stringContaining('{{files}}'),
  ])
  expect(await ask({ trigger: { type: 'merge', repository: 'nowhere' } })).toEqual([
    400,
    expect.stringContaining('nowhere'),
  ])
  const schedule = { type: 'schedule', cron: '0 6 30 2 *', timeZone: 'UTC' }
  expect(await ask({ trigger: schedule })).toEqual([400, expect.stringContaining('never comes')])
  expect(await ask({ trigger: { ...schedule, cron: 'never' } })).toEqual([400, expect.stringContaining('five fields')])
  expect(await ask({ trigger: { ...schedule, timeZone: 'Nowhere/Land' } })).toEqual([
    400,
    expect.stringContaining('time zone'),
  ])
  const listed = automationListSchema.parse(await (await send('GET', '/admin/v1/automations?site=docs')).json())
  expect(listed.items.every(({ name }) => name === 'Keep up')).toBe(true)
})

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type GapResource, gapListSchema, gapSchema } from '../../src/contract/insights.ts'
import { type SuiteResource, suiteSchema } from '../../src/contract/suite.ts'
import { finishJob } from '../support/agent-jobs.ts'
import { sendAsAdmin } from '../support/ask.ts'
import { type ConnectedDocent, startConnectedDocent } from '../support/connected-forge.ts'
import { everything, type GithubServer, removeGithubTemplate, startGithubServer } from '../support/github-server.ts'
import { pushChange, viewPullRequest } from '../support/pull-requests.ts'
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts'

// From a question that nobody answers to a suite that passes, on the built-in host and over GitHub's interface.

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const question = 'What does the flumox lever of the kiosk do?'
const suite = `tests:\n  - question: ${question}\n    facts: on and off\n`
const page = '# Flumox lever\n\nThe flumox lever of the kiosk turns the sign on and off.\n'

let provider: ScriptedProvider
let docent: ConnectedDocent
let github: GithubServer

beforeAll(async () => {
  provider = await startScriptedProvider((request) =>
    request.messages.at(-1)?.role === 'user'
      ? { calls: [{ tool: 'write', input: { path: 'flumox.md', content: page, listed: false } }] }
      : { calls: [{ tool: 'finish', input: { title: 'Explain the lever', summary: 'Readers asked for it.' } }] },
  )
  github = await startGithubServer({ granted: everything })
  docent = await startConnectedDocent({
    env: {
      DOCENT_AGENT_MODEL: 'openai-compatible/scripted',
      DOCENT_AGENT_MODEL_BASE_URL: provider.url,
      DOCENT_AGENT_MODEL_API_KEY: 'key-of-the-provider',
      DOCENT_PUSH_TO_DEFAULT_BRANCH: 'true',
    },
  })
})
afterAll(async () => {
  await docent.remove()
  await Promise.all([provider.close(), github.stop()])
  await removeGithubTemplate()
})

async function until<T>(read: () => Promise<T | null | undefined>): Promise<T> {
  for (;;) {
    const found = await read()
    if (found != null) return found
    await wait(100)
  }
}

async function readSuite(site: string): Promise<SuiteResource> {
  return suiteSchema.parse((await sendAsAdmin(docent, 'GET', `/admin/v1/sites/${site}/suite`)).body)
}

/** A reader asks, the suite fails, and the gap gets a job that opens a pull request. */
async function openFromGap(site: string): Promise<{ gap: GapResource; prLink: string }> {
  const failing = await until(async () => (await readSuite(site)).runs[0])
  expect(failing).toMatchObject({ passed: 0, total: 1 })
  const { body: key } = await sendAsAdmin(docent, 'POST', '/admin/v1/keys', {
    kind: 'assistant',
    name: 'k',
    siteId: site,
  })
  const authorization = `Bearer ${(key as { secret: string }).secret}`
  const messages = [{ role: 'user', parts: [{ type: 'text', text: question }] }]
  const path = `/discovery/v2/assistant/${site}/message`
  await (await docent.post(path, { fp: 'reader', messages }, { authorization })).text()
  const { body } = await sendAsAdmin(docent, 'GET', `/admin/v1/insights/gaps?siteId=${site}`)
  const [found] = gapListSchema.parse(body).items
  const made = await sendAsAdmin(docent, 'POST', `/admin/v1/insights/gaps/${found?.id}/job`, {})
  const gap = gapSchema.parse(made.body)
  const job = await finishJob(docent, gap.jobId ?? '')
  expect(job).toMatchObject({ status: 'completed', failure: null })
  return { gap, prLink: job.prLink ?? '' }
}

/** The merge answers the question: it is asked again, and the suite passes. */
async function expectClosed(site: string, { id }: GapResource): Promise<void> {
  const gap = await until(async () => {
    const { body } = await sendAsAdmin(docent, 'GET', `/admin/v1/insights/gaps/${id}`)
    const read = gapSchema.parse(body)
    return read.retried.length > 0 ? read : null
  })
  const passing = await until(async () => (await readSuite(site)).runs.find(({ passed }) => passed === 1))
  expect(gap).toMatchObject({
    state: 'fixed',
    failure: null,
    commit: passing.revision,
    retried: [{ question, before: { verdict: 'unanswered' }, after: { verdict: 'supported' } }],
  })
  expect((await readSuite(site)).results).toMatchObject([{ question, failures: [] }])
}

it('closes a gap by a pull request of the built-in host, which shows its question before and after', async () => {
  const client = await pushChange(docent, { branch: 'suite', path: 'docent.tests.yaml', text: suite })
  await client.write('docs.json', JSON.stringify({ name: 'Kiosk', navigation: { pages: ['index', 'flumox'] } }))
  await client.commit('Leave room for the lever')
  await client.git('push', '--quiet', 'origin', 'suite:main')
  await client.remove()

  const { gap, prLink } = await openFromGap('docs')
  const view = await until(async () => {
    const read = await viewPullRequest(prLink)
    return read.readers[0]?.state === 'done' && read.readers[0].isCurrent ? read : null
  })
  const comparison = view.readers[0]?.comparison
  const { items } = (await sendAsAdmin(docent, 'GET', '/admin/v1/pull-requests')).body as {
    items: { id: string; url: string }[]
  }
  await sendAsAdmin(docent, 'POST', `/admin/v1/pull-requests/${items.find(({ url }) => url === prLink)?.id}/merge`, {})

  // Its readers' question is for members.
  expect(comparison?.counts).toMatchObject({ suite: { better: 1, worse: 0 }, reader: { better: 1, worse: 0 } })
  expect(comparison?.answers).toMatchObject([{ origin: 'suite', outcome: 'better', before: { verdict: 'unanswered' } }])
  await expectClosed('docs', gap)
})

it('closes a gap by a pull request on GitHub, whose comment and check say what gets better', async () => {
  const { origin, path, app, state } = github
  const { repository, pulls } = state
  const main = repository.readRef('refs/heads/main') ?? ''
  const tree = repository.writeTree(repository.readCommit(main)?.tree ?? null, [
    { path: 'docent.tests.yaml', mode: '100644', content: suite },
  ])
  repository.updateRef('refs/heads/main', repository.writeCommit({ tree, parents: [main], message: 'Test the lever' }))
  await sendAsAdmin(docent, 'POST', '/admin/v1/code-host-apps', { kind: 'github', origin, ...app, slug: 'docent-acme' })
  const source = { kind: 'github', location: `${origin}/${path}` }
  await sendAsAdmin(docent, 'POST', '/admin/v1/sites', { slug: 'handbook', name: 'Handbook', source })
  await docent.waitForRevision('handbook', repository.readRef('refs/heads/main'))

  const { gap, prLink } = await openFromGap('handbook')
  const comment = await until(async () => pulls.look(1).comments.find((text) => text.includes('What changes')))
  pulls.merge(1)
  docent.advance(6 * 60_000)

  expect(prLink).toBe(`${origin}/${path}/pull/1`)
  expect(comment).toContain(`**Better**: ${question}`)
  expect(comment).toContain('Of the newest 1 question of readers: 0 worse, 1 better')
  expect(state.checks).toEqual({ 'Answers to readers of handbook': 'success' })
  expect(github.violations).toEqual([])
  await expectClosed('handbook', gap)
})

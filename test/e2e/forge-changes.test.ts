import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { sourceCheckSchema } from '../../src/contract/source-check.ts'
import { createJob, finishJob, readEvents, runJob, sendToJob } from '../support/agent-jobs.ts'
import { type ConnectedDocent, connectForge, startConnectedDocent } from '../support/connected-forge.ts'
import { type TestForge, testForges } from '../support/forge-kinds.ts'
import { runGit } from '../support/git-client.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts'

// What happens on the forge while a job runs.

// Each test runs many git commands, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let provider: ScriptedProvider
let docent: ConnectedDocent
let forge: TestForge
let slug: string
let sites = 0

/** A change by somebody else in the middle of the job. */
let meanwhile: () => Promise<void> = async () => {}

beforeAll(async () => {
  provider = await startScriptedProvider(async (request) => {
    if (request.messages.at(-1)?.role === 'user') {
      await meanwhile()
      return {
        calls: [{ tool: 'write', input: { path: 'added.md', content: '# Added\n\nBy the agent.\n', listed: false } }],
      }
    }
    return { calls: [{ tool: 'finish', input: { title: 'Add a page', summary: 'Readers asked for it.' } }] }
  })
  docent = await startConnectedDocent({
    env: {
      DOCENT_AGENT_MODEL: 'openai-compatible/scripted',
      DOCENT_AGENT_MODEL_BASE_URL: provider.url,
      DOCENT_AGENT_MODEL_API_KEY: 'key-of-the-provider',
      DOCENT_MODEL_RETRIES: '0',
    },
  })
})
afterAll(async () => {
  await docent.remove()
  await provider.close()
})
beforeEach(async () => {
  forge = await testForges.gitea()
  slug = `guide-${++sites}`
  await connectForge(docent, forge, slug)
  meanwhile = async () => {}
})
afterEach(async () => {
  await forge.stop()
})

/** A commit on a branch of the forge, over what that names, or over another commit. */
async function change(branch: string, files: Record<string, string>, over?: string): Promise<string> {
  const parent = over ?? forge.repository.tip(branch) ?? ''
  const changed = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const))
  const commit = forge.repository.writeCommit({ parent, files: changed, message: 'By somebody else' })
  forge.repository.setBranch(branch, commit)
  return commit
}

const git = (...args: string[]) => runGit('/', forge.repository.gitDirectory, args)

it('puts the change on what was pushed to the base meanwhile', async () => {
  meanwhile = async () => void (await change('main', { 'other.md': '# Other\n' }))

  const job = await runJob(docent, 'Add a page.', { site: slug })

  expect(job).toMatchObject({ status: 'completed', pullRequest: { state: 'open', draft: false } })
  expect(await git('rev-parse', `${job.branch}^`)).toBe(forge.repository.tip('main'))
  expect(await git('diff', '--name-status', `main..${job.branch}`)).toBe('A\tadded.md')
})

it('leaves out what a force push of the base took away meanwhile', async () => {
  const first = forge.repository.tip('main') ?? ''
  await change('main', { 'secret.md': '# Taken away\n' })
  meanwhile = async () => void (await change('main', { 'other.md': '# Other\n' }, first))

  const job = await runJob(docent, 'Add a page.', { site: slug })

  expect(job).toMatchObject({ status: 'completed', pullRequest: { state: 'open' } })
  expect(await git('rev-parse', `${job.branch}^`)).toBe(forge.repository.tip('main'))
  expect(await git('diff', '--name-status', `main..${job.branch}`)).toBe('A\tadded.md')
})

it('puts a follow-up on what a person pushed to the branch of the job', async () => {
  const job = await runJob(docent, 'Add a page.', { site: slug })
  meanwhile = async () => void (await change(job.branch, { 'note.md': '# By a person\n' }))
  await change(job.branch, { 'added.md': '# Added\n\nBy a person.\n' })

  await sendToJob(docent, job.id, 'message', { prompt: 'Write it again.' })
  const followed = await finishJob(docent, job.id)

  expect(followed).toMatchObject({ status: 'completed', prLink: job.prLink, branch: job.branch })
  expect(await git('show', `${job.branch}:note.md`)).toBe('# By a person')
  expect(await git('show', `${job.branch}:added.md`)).toBe('# Added\n\nBy the agent.')
})

it('says that a person and the agent have changed the same lines, and changes nothing', async () => {
  const job = await runJob(docent, 'Add a page.', { site: slug })
  const theirs = '# Added\n\nBy a person.\n'
  await change(job.branch, { 'added.md': '# Added\n\nFirst by a person.\n' })
  meanwhile = async () => void (await change(job.branch, { 'added.md': theirs }))

  await sendToJob(docent, job.id, 'message', { prompt: 'Write it again.' })
  const followed = await finishJob(docent, job.id)

  expect(followed).toMatchObject({ status: 'failed', failure: { code: 'branch_conflict' } })
  expect(await git('show', `${job.branch}:added.md`)).toBe(theirs.trim())
})

it('goes on with a repository that was renamed in the middle of a job', async () => {
  meanwhile = async () => forge.rename('acme/handbook')

  const job = await runJob(docent, 'Add a page.', { site: slug })

  expect(job).toMatchObject({ status: 'completed', prLink: `${forge.origin}/acme/handbook/pulls/1` })
})

it('fails in a sentence when a rule of the forge forbids the branch, and opens nothing', async () => {
  const created = await createJob(docent, 'Add a page.', { site: slug, branch: 'docent/forbidden' })
  forge.protectBranch('docent/forbidden')

  const job = await finishJob(docent, created.id)

  expect(job).toMatchObject({ status: 'failed', prLink: null, pullRequest: null })
  expect(job.failure?.message).toMatch(/refuse|protected|rule/)
  const events = await readEvents(docent, created.id)
  expect(events.map(({ event }) => event.type)).not.toContain('pull-request-opened')
})

it('reads the site with a token that was changed, and says so when it opens nothing any more', async () => {
  forge.setToken('another-token-of-the-forge')
  const refused = await checkSite()
  expect(refused.canRead).toBe(false)
  expect(refused.steps.find(({ state }) => state === 'failed')?.message).toMatch(/token/i)

  const changed = await fetch(`${docent.url}/admin/v1/sites/${slug}`, {
    method: 'PATCH',
    headers: { ...asAdmin, 'content-type': 'application/json' },
    body: JSON.stringify({ credential: { token: 'another-token-of-the-forge' } }),
  })
  expect(changed.status).toBe(200)

  expect(await checkSite()).toMatchObject({ canRead: true, canPropose: true })
  expect(await runJob(docent, 'Add a page.', { site: slug })).toMatchObject({ status: 'completed' })
})

async function checkSite() {
  const response = await docent.post('/admin/v1/sites/check-source', { site: slug }, asAdmin)
  return sourceCheckSchema.parse(await response.json())
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { claimAgentJob } from '../../src/store/agent/agent-jobs.ts'
import { renewClaim } from '../../src/store/queue.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createJob, finishJob, mergeChange, readEvents } from '../support/agent-jobs.ts'
import { cloneRepository } from '../support/git-client.ts'
import { addressOf } from '../support/pull-requests.ts'
import {
  countTurns,
  type ScriptedProvider,
  type ScriptedStep,
  startScriptedProvider,
} from '../support/scripted-provider.ts'
import { copyUsualFirstStart, type Docent, startDocent } from '../support/start-docent.ts'

let provider: ScriptedProvider
let docent: Docent
const logged: string[] = []

afterEach(async () => {
  await docent.remove()
  await provider.close()
})

/** A log that keeps the names of its events. */
const watchingLog = createLog('info', {
  write: (line) => void logged.push((JSON.parse(line) as { event: string }).event), // Every line has one.
})

async function start(script: (turn: number) => ScriptedStep | Promise<ScriptedStep>): Promise<void> {
  provider = await startScriptedProvider((request) => script(countTurns(request)))
  const folder = await mkdtemp(join(tmpdir(), 'docent-test-'))
  await copyUsualFirstStart(folder)
  docent = await startDocent({
    folder,
    log: watchingLog,
    env: { DOCENT_AGENT_MODEL: 'openai-compatible/scripted', DOCENT_AGENT_MODEL_BASE_URL: provider.url },
  })
}

const write: ScriptedStep = {
  calls: [
    { tool: 'write', input: { path: 'guides/notes.mdx', content: '---\ntitle: Notes\n---\n\nOne.\n', listed: true } },
  ],
}
const finish: ScriptedStep = { calls: [{ tool: 'finish', input: { title: 'Add notes', summary: 'Asked for.' } }] }

/** A job that has written its page, and finishes when it is told to go on. */
async function startUnfinishedJob() {
  const asked = Promise.withResolvers<void>()
  const awaited = Promise.withResolvers<void>()
  await start(async (turn) => {
    if (turn === 0) return write
    asked.resolve()
    await awaited.promise
    return finish
  })
  const job = await createJob(docent, 'Write notes.')
  await asked.promise
  return { job, goOn: () => awaited.resolve() }
}

it('a worker that wakes after another one has taken its job pushes nothing, and the job ends once', async () => {
  const { job, goOn } = await startUnfinishedJob()
  const { store } = docent.service

  // Far in the future the lease has lapsed, for a worker whose clock says so.
  const now = Date.now() + 3_600_000
  const taken = await claimAgentJob(store.durable, { now, leaseUntil: now })
  goOn()
  while (!logged.includes('job-claim-lost')) await wait(20)

  expect(taken).toMatchObject({ id: job.id, attempt: 2 })
  const client = await cloneRepository(addressOf(docent))
  expect(await client.git('branch', '--all')).not.toContain(job.branch)
  await client.remove()
  await renewClaim(store.durable, 'agentJobs', { id: job.id, attempt: 2 }, 0)
  expect(await finishJob(docent, job.id)).toMatchObject({ status: 'completed', changes: [{}, {}] })
  const types = (await readEvents(docent, job.id)).map(({ event }) => event.type)
  expect(types.filter((type) => type === 'branch-pushed')).toHaveLength(1)
  expect(types.filter((type) => type === 'pull-request-opened')).toHaveLength(1)
  expect(types).toContain('job-resumed')
}, 120_000)

it('a change whose base moves meanwhile is put on the new base', async () => {
  const { job, goOn } = await startUnfinishedJob()

  const mergeCommit = await mergeChange(docent, 'other', 'guides/other.md', '# Other\n')
  goOn()

  const done = await finishJob(docent, job.id)
  expect(done.status).toBe('completed')
  const client = await cloneRepository(addressOf(docent))
  expect(await client.git('rev-parse', `origin/${done.branch}~1`)).toBe(mergeCommit)
  expect(await client.git('show', `origin/${done.branch}:guides/other.md`)).toContain('# Other')
  await client.remove()
}, 120_000)

it('a change whose base has changed the same lines is proposed all the same, and says so', async () => {
  const { job, goOn } = await startUnfinishedJob()

  await mergeChange(docent, 'other', 'guides/notes.mdx', '---\ntitle: Others\n---\n\nTwo.\n')
  goOn()

  const done = await finishJob(docent, job.id)
  expect(done).toMatchObject({ status: 'failed', failure: { code: 'conflicting' }, prLink: expect.any(String) })
  expect(done.failure?.message).toContain('guides/notes.mdx')
}, 120_000)

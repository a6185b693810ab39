import { beforeEach, describe, expect, it } from 'vitest'
import { listAgentJobEvents } from '../../src/store/agent/agent-job-events.ts'
import {
  type AgentJobEnd,
  finishAgentJob,
  type NewAgentJobStep,
  recordSideEffect,
  readAgentJobProgress,
  readAgentJobState,
  recordAgentJobStep,
} from '../../src/store/agent/agent-job-steps.ts'
import { releaseAllClaims, renewClaim } from '../../src/store/queue.ts'
import { addAgentJobMessage, listAgentJobMessages } from '../../src/store/agent/agent-job-messages.ts'
import {
  type CountJob,
  type AgentJobListRequest,
  archiveAgentJob,
  cancelAgentJob,
  claimAgentJob,
  getAgentJob,
  idempotencyMs,
  insertAgentJob,
  listAgentJobs,
  type NewAgentJob,
  sumAgentJobUsage,
} from '../../src/store/agent/agent-jobs.ts'
import { deleteSite, type Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.ts'

export function declareAgentJobTests(harness: StoreHarness): void {
  let store: Store
  let site: Site

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
  })

  const sampleJob = (change: Partial<NewAgentJob> = {}): NewAgentJob => ({
    id: `job_${freshId()}`,
    projectId: site.projectId,
    siteId: site.id,
    repository: 'default/docs',
    ref: 'main',
    branch: 'docent/replace-a-by-b-x1',
    model: 'docent/offline',
    isDraft: false,
    prompt: 'Replace "a" by "b".',
    context: [{ type: 'code', value: 'npm i', path: null }],
    idempotencyKey: null,
    requestHash: 'hash-1',
    createdAt: 1_000,
    ...change,
  })
  const create = async (change: Partial<NewAgentJob> = {}) =>
    (await insertAgentJob(store.durable, sampleJob(change))).job
  const claim = async (now = 2_000) => {
    const job = await claimAgentJob(store.durable, { now, leaseUntil: now + 30_000 })
    if (job === null) throw new Error('A job waits.')
    return job
  }
  const sampleStep = (step: number, change: object = {}): NewAgentJobStep<{ overlay: string }> => ({
    round: 1,
    step,
    transcript: [{ role: 'user', content: `message ${step}` }],
    checkpoint: { overlay: `overlay ${step}` },
    fileChanges: step === 1 ? null : { files: [`file ${step}`] },
    inputTokens: 10,
    cachedTokens: 8,
    outputTokens: 5,
    costUsd: 0.25,
    events: [{ type: 'text-written', text: `step ${step}` }],
    createdAt: 3_000 + step,
    ...change,
  })
  const sampleEnd = (change: Partial<AgentJobEnd> = {}): AgentJobEnd => ({
    messagesSeen: 1,
    failure: null,
    title: 'Replace a by b',
    summary: 'Three pages say b now.',
    changes: [{ path: 'a.mdx', kind: 'modified', additions: 1, deletions: 1 }],
    pullRequest: { id: 'pull_1', url: 'https://docs.example.com/pull/x/1', state: 'open', isDraft: false },
    events: [{ type: 'job-completed', summary: 'Three pages say b now.', prLink: null }],
    now: 9_000,
    ...change,
  })
  const eventTypes = async (jobId: string) =>
    (await listAgentJobEvents(store.durable, { jobId, after: 0, limit: 100 })).map(({ seq, event }) => [
      seq,
      event.type,
    ])

  describe('making jobs', () => {
    it('reads back what was written, with its first message and event', async () => {
      const job = await create()

      expect(await getAgentJob(store.durable, job.id)).toEqual(job)
      expect(job).toMatchObject({ status: 'active', round: 1, messageCount: 1, costUsd: 0, failure: null })
      expect(await listAgentJobMessages(store.durable, job.id, 0)).toEqual([
        { number: 1, round: 1, text: job.prompt, context: [{ type: 'code', value: 'npm i', path: null }] },
      ])
      expect(await eventTypes(job.id)).toEqual([[1, 'message-received']])
    })

    it('creates one job for a hundred requests with the same key', async () => {
      const results = await Promise.all(
        Array.from({ length: 100 }, () => insertAgentJob(store.durable, sampleJob({ idempotencyKey: 'key' }))),
      )

      expect(new Set(results.map(({ job }) => job.id)).size).toBe(1)
      expect(results.filter(({ created }) => created)).toHaveLength(1)
      expect(results.every(({ isSameRequest }) => isSameRequest)).toBe(true)
    })

    it('counts a job or message once, in its own transaction, and writes nothing that is refused', async () => {
      const counted: string[] = []
      const count: CountJob = async (_, { id, prompt }) => void counted.push(`${id} ${prompt}`)
      const refuse: CountJob = async () => Promise.reject(new Error('used up'))
      const wanted = sampleJob({ idempotencyKey: 'key' })

      const refused = insertAgentJob(store.durable, wanted, refuse)
      await expect(refused).rejects.toThrow('used up')
      const { job, created } = await insertAgentJob(store.durable, wanted, count)
      await insertAgentJob(store.durable, sampleJob({ idempotencyKey: 'key' }), count)
      const message = { jobId: job.id, prompt: 'More.', createdAt: 4_000 }
      const unsent = addAgentJobMessage(store.durable, message, refuse)
      await expect(unsent).rejects.toThrow('used up')
      await addAgentJobMessage(store.durable, message, count)

      expect(created).toBe(true)
      expect(counted).toEqual([`${job.id} ${job.prompt}`, `${job.id} More.`])
      expect(await listAgentJobMessages(store.durable, job.id, 0)).toHaveLength(2)
    })

    it('recognizes a different request with the same key, and forgets the key after a day', async () => {
      const first = await create({ idempotencyKey: 'key' })

      const other = await insertAgentJob(store.durable, sampleJob({ idempotencyKey: 'key', requestHash: 'hash-2' }))
      const later = await insertAgentJob(
        store.durable,
        sampleJob({ idempotencyKey: 'key', requestHash: 'hash-2', createdAt: 1_000 + idempotencyMs }),
      )

      expect(other).toMatchObject({ created: false, isSameRequest: false, job: { id: first.id } })
      expect(later).toMatchObject({ created: true })
    })

    it('lists the newest first, page by page and by status', async () => {
      const jobs = [await create(), await create(), await create()]
      await cancelAgentJob(store.durable, jobs[1]?.id ?? '', 2_000)

      const first = await listAgentJobs(store.durable, { projectId: site.projectId, limit: 2 })
      const second = await listAgentJobs(store.durable, {
        projectId: site.projectId,
        limit: 2,
        cursor: first.nextCursor,
      })
      const failed = await listAgentJobs(store.durable, { projectId: site.projectId, limit: 9, status: 'failed' })

      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(jobs.map(({ id }) => id).toReversed())
      expect(second.nextCursor).toBeNull()
      expect(failed.items.map(({ id }) => id)).toEqual([jobs[1]?.id])
    })

    it('filters by site, time, and text in the prompt, title, summary or branch', async () => {
      const early = await create({ prompt: 'Rename the 50%_off page' })
      const late = await create({ prompt: 'Fix links', branch: 'docent/Grüße-1', createdAt: 5_000 })
      const list = async (filter: Partial<AgentJobListRequest>) => {
        const { items } = await listAgentJobs(store.durable, { projectId: site.projectId, limit: 9, ...filter })
        return items.map(({ id }) => id)
      }

      expect(await list({ siteId: site.id })).toEqual([late.id, early.id])
      expect(await list({ siteId: 'another' })).toEqual([])
      expect([await list({ from: 5_000 }), await list({ to: 5_000 })]).toEqual([[late.id], [early.id]])
      expect(await list({ search: '50%_OFF' })).toEqual([early.id])
      expect(await list({ search: 'Grüße' })).toEqual([late.id])
      expect(await list({ search: '5_%' })).toEqual([])
    })

    it('reads the newest checkpoint of a job, from any round, without its conversation', async () => {
      const job = await create()
      const held = await claim()
      const before = await readAgentJobState(store.durable, job.id)
      await recordAgentJobStep(store.durable, held, sampleStep(0))
      await recordAgentJobStep(store.durable, held, sampleStep(1))

      expect(before).toBeNull()
      expect(await readAgentJobState(store.durable, job.id)).toEqual({
        round: 1,
        step: 1,
        checkpoint: { overlay: 'overlay 1' },
        fileChanges: [{ files: ['file 0'] }],
      })
    })

    it('are deleted with their site', async () => {
      const job = await create()

      await deleteSite(store.durable, site.id)

      expect(await getAgentJob(store.durable, job.id)).toBeNull()
    })
  })

  describe('working on jobs', () => {
    it('gives each job to one of many concurrent claimants', async () => {
      await Promise.all([create(), create(), create()])

      const claims = await Promise.all(
        Array.from({ length: 12 }, () => claimAgentJob(store.durable, { now: 2_000, leaseUntil: 32_000 })),
      )

      const taken = claims.filter((job) => job !== null)
      expect(taken).toHaveLength(3)
      expect(new Set(taken.map(({ id }) => id)).size).toBe(3)
    })

    it('hands a job with an expired lease to another worker and refuses every write of the first', async () => {
      await create()
      const first = await claim(2_000)
      const second = await claim(40_000)

      expect(second).toMatchObject({ id: first.id, attempt: first.attempt + 1 })
      expect(await renewClaim(store.durable, 'agentJobs', first, 99_000)).toBe(false)
      expect(await recordAgentJobStep(store.durable, first, sampleStep(0))).toBe('lost')
      expect(await recordSideEffect(store.durable, first, { events: [], now: 5_000 })).toBe(false)
      expect(await finishAgentJob(store.durable, first, sampleEnd())).toBe('lost')
      expect(await readAgentJobProgress(store.durable, first.id, 1)).toBeNull()
      expect(await recordAgentJobStep(store.durable, second, sampleStep(0))).toBe('recorded')
    })

    it('reclaims a job whose worker died while the clock ran ahead', async () => {
      const job = await create()
      await claimAgentJob(store.durable, { now: 2_000_000_000, leaseUntil: 2_000_030_000 })

      expect(await claim(3_000)).toMatchObject({ id: job.id, attempt: 2 })
    })

    it('joins the conversation of all steps and keeps only the newest checkpoint', async () => {
      const job = await create()
      const held = await claim()
      for (const step of [0, 1, 2]) await recordAgentJobStep(store.durable, held, sampleStep(step))

      const progress = await readAgentJobProgress(store.durable, job.id, 1)
      const rows = await store.durable.selectFrom('jobSteps').select('checkpoint').where('jobId', '=', job.id).execute()

      expect(progress).toEqual({
        step: 2,
        transcript: [0, 1, 2].map((step) => ({ role: 'user', content: `message ${step}` })),
        checkpoint: { overlay: 'overlay 2' },
        fileChanges: [{ files: ['file 0'] }, { files: ['file 2'] }],
      })
      expect(rows.filter(({ checkpoint }) => checkpoint !== null)).toHaveLength(1)
      expect(await getAgentJob(store.durable, job.id)).toMatchObject({
        inputTokens: 30,
        outputTokens: 15,
        steps: 3,
        costUsd: 0.75,
      })
      expect(await eventTypes(job.id)).toHaveLength(4)
    })

    it('has an unknown cost after a step without a price', async () => {
      const job = await create()
      const held = await claim()
      await recordAgentJobStep(store.durable, held, sampleStep(0, { costUsd: null }))
      await recordAgentJobStep(store.durable, held, sampleStep(1))

      expect((await getAgentJob(store.durable, job.id))?.costUsd).toBeNull()
      expect(await sumAgentJobUsage(store.durable, { projectId: site.projectId, since: 3_001 })).toEqual({
        tokens: 15,
        costUsd: 0.25,
      })
    })

    it('records no step that has not seen the newest user message', async () => {
      const job = await create()
      const held = await claim()
      await addAgentJobMessage(store.durable, { jobId: job.id, prompt: 'And c by d.', createdAt: 4_000 })

      expect(await recordAgentJobStep(store.durable, held, sampleStep(0, { messagesSeen: 1 }))).toBe('unread')
      expect(await readAgentJobProgress(store.durable, job.id, 1)).toBeNull()
      expect(await recordAgentJobStep(store.durable, held, sampleStep(0, { messagesSeen: 2 }))).toBe('recorded')
    })

    it('ends a round, but not while a user message is unread', async () => {
      const job = await create()
      const held = await claim()
      await addAgentJobMessage(store.durable, { jobId: job.id, prompt: 'And c by d.', createdAt: 4_000 })

      expect(await finishAgentJob(store.durable, held, sampleEnd())).toBe('unread')
      expect(await finishAgentJob(store.durable, held, sampleEnd({ messagesSeen: 2 }))).toBe('finished')
      expect(await getAgentJob(store.durable, job.id)).toMatchObject({
        status: 'completed',
        title: 'Replace a by b',
        pullRequest: { url: 'https://docs.example.com/pull/x/1' },
        changes: [{ path: 'a.mdx' }],
        runAt: null,
      })
    })

    it('releases every lease for a process with exclusive use of the database', async () => {
      await create()
      await claim(2_000)

      await releaseAllClaims(store.durable, 'agentJobs', 3_000)

      expect((await claim(3_000)).attempt).toBe(2)
    })
  })

  describe('messages, cancelling and archiving', () => {
    it('makes an ended job active again in its next round', async () => {
      const job = await create()
      await finishAgentJob(store.durable, await claim(), sampleEnd())

      const again = await addAgentJobMessage(store.durable, { jobId: job.id, prompt: 'More.', createdAt: 10_000 })

      expect(again).toMatchObject({ status: 'active', round: 2, prompt: 'More.', summary: null, messageCount: 2 })
      expect((await claim(11_000)).id).toBe(job.id)
    })

    it('cancels an active job for good, so that its worker can write nothing', async () => {
      const job = await create()
      const held = await claim()

      const cancelled = await cancelAgentJob(store.durable, job.id, 5_000)
      const again = await cancelAgentJob(store.durable, job.id, 6_000)

      expect(cancelled).toMatchObject({ status: 'failed', failure: { code: 'cancelled' } })
      expect(again).toEqual(cancelled)
      expect(await finishAgentJob(store.durable, held, sampleEnd())).toBe('lost')
      expect(await eventTypes(job.id)).toEqual([
        [1, 'message-received'],
        [2, 'job-failed'],
      ])
    })

    it('archives only ended jobs, which then accept no messages', async () => {
      const job = await create()
      expect(await archiveAgentJob(store.durable, job.id, 2_000)).toBeNull()
      await cancelAgentJob(store.durable, job.id, 3_000)

      const archived = await archiveAgentJob(store.durable, job.id, 4_000)

      expect(archived).toMatchObject({ status: 'failed', archivedAt: 4_000 })
      expect(await archiveAgentJob(store.durable, job.id, 5_000)).toEqual(archived)
      expect(await addAgentJobMessage(store.durable, { jobId: job.id, prompt: 'More.', createdAt: 6_000 })).toBeNull()
    })

    it('numbers the events of concurrent writers without gaps', async () => {
      const job = await create()
      const held = await claim()

      await Promise.all([
        ...Array.from({ length: 5 }, (_, index) =>
          recordSideEffect(store.durable, held, { events: [{ type: 'text-written', text: `${index}` }], now: 5_000 }),
        ),
        ...Array.from({ length: 5 }, () =>
          addAgentJobMessage(store.durable, { jobId: job.id, prompt: 'More.', createdAt: 5_000 }),
        ),
      ])

      const numbers = (await eventTypes(job.id)).map(([seq]) => seq)
      expect(numbers).toEqual(Array.from({ length: 11 }, (_, index) => index + 1))
      expect(await listAgentJobMessages(store.durable, job.id, 1)).toHaveLength(5)
    })
  })
}

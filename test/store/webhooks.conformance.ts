import { beforeEach, describe, expect, it } from 'vitest'
import { addAgentJobMessage, listAgentJobMessages } from '../../src/store/agent/agent-job-messages.ts'
import { listAgentJobEvents } from '../../src/store/agent/agent-job-events.ts'
import { finishAgentJob } from '../../src/store/agent/agent-job-steps.ts'
import {
  type AgentJob,
  cancelAgentJob,
  claimAgentJob,
  getAgentJob,
  insertAgentJob,
  listAgentJobsOfPullRequest,
  setAgentJobPullRequest,
} from '../../src/store/agent/agent-jobs.ts'
import { claimCommentAnswer, updateCommentAnswer } from '../../src/store/agent/comment-answers.ts'
import { finishClaim, releaseClaim } from '../../src/store/queue.ts'
import { claimIndexRun, enqueueIndexRun, finishIndexRun } from '../../src/store/sites/index-runs.ts'
import { getProject } from '../../src/store/accounts/projects.ts'
import type { Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.ts'
import {
  claimWebhookDelivery,
  insertWebhookDelivery,
  listWebhookDeliveries,
  removeOldWebhookDeliveries,
} from '../../src/store/webhooks/webhook-deliveries.ts'
import {
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  insertWebhookEndpoint,
} from '../../src/store/webhooks/webhook-endpoints.ts'
import { announceEvent } from '../../src/store/webhooks/webhook-events.ts'
import {
  claimWebhookSend,
  getWebhookSend,
  listWebhookSends,
  recordWebhookAttempt,
  requeueWebhookSend,
  switchOffWebhookEndpoint,
  type WebhookAttempt,
} from '../../src/store/webhooks/webhook-sends.ts'

export function declareWebhookTests(harness: StoreHarness): void {
  let store: Store
  let site: Site
  let organizationId: string

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
    organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
  })

  const receive = (change: { deliveryId?: string; ignoredFor?: string | null; receivedAt?: number } = {}) =>
    insertWebhookDelivery(store.durable, {
      id: `whr_${freshId()}`,
      source: `site:${site.id}`,
      deliveryId: 'd-1',
      organizationId,
      siteId: site.id,
      event: { type: 'push' },
      ignoredFor: null,
      receivedAt: 1_000,
      ...change,
    })
  const claimDelivery = (now: number) => claimWebhookDelivery(store.durable, { now, leaseUntil: now + 60_000 })
  const endpointId = 'whe_1'
  const addEndpoint = () =>
    insertWebhookEndpoint(store.durable, {
      id: endpointId,
      organizationId,
      name: 'Chat',
      url: 'https://example.com/hook',
      events: ['job.ended', 'sync.failed', 'pull_request.merged'],
      secretSealed: 'sealed',
      isEnabled: true,
      disabledReason: null,
      failingSince: null,
      createdAt: 1,
    })
  const claimSend = (now: number, exceptEndpoints: string[] = []) =>
    claimWebhookSend(store.durable, { now, leaseUntil: now + 60_000, exceptEndpoints })
  const listSends = async () => (await listWebhookSends(store.durable, { endpointId, limit: 100 })).items
  const announce = (subject: string, now = 1_000) => {
    const data = { siteId: site.id, slug: 'docs', runId: subject, failure: 'It broke.' }
    const body = { type: 'sync.failed' as const, timestamp: '2026-01-01T00:00:00.000Z', data }
    return announceEvent(store.durable, { organizationId, subject, body, now })
  }
  const failed = (change: Partial<WebhookAttempt> = {}): WebhookAttempt => ({
    status: 500,
    durationMs: 12,
    failure: 'It answered 500.',
    reply: 'oh',
    retryAt: null,
    now: 5_000,
    ...change,
  })
  const pullRequest = { id: 'pull_1', url: 'https://example.com/pull/7', state: 'open' as const, isDraft: false }
  const createJob = async (): Promise<AgentJob> => {
    const { job } = await insertAgentJob(store.durable, {
      id: `job_${freshId()}`,
      projectId: site.projectId,
      siteId: site.id,
      repository: 'default/docs',
      ref: 'main',
      branch: 'docent/x',
      model: 'docent/offline',
      isDraft: false,
      prompt: 'Do it.',
      context: [],
      idempotencyKey: null,
      requestHash: 'hash',
      pullRequest,
      createdAt: 1_000,
    })
    return job
  }
  const endJob = async (job: AgentJob, messagesSeen = 1) => {
    const claimed = await claimAgentJob(store.durable, { now: 2_000, leaseUntil: 32_000 })
    const end = { failure: null, title: 'T', summary: 'S', changes: [], pullRequest, events: [], now: 3_000 }
    return finishAgentJob(store.durable, { id: job.id, attempt: claimed?.attempt ?? 0 }, { ...end, messagesSeen })
  }

  describe('a delivery from a host', () => {
    it('is stored once, however often and concurrently it is sent', async () => {
      const kept = await Promise.all(Array.from({ length: 50 }, () => receive()))

      expect(kept.filter(Boolean)).toHaveLength(1)
      expect((await listWebhookDeliveries(store.durable, { source: `site:${site.id}`, limit: 10 })).items).toHaveLength(
        1,
      )
    })

    it('is claimed by one of many, and by another once the claim has expired', async () => {
      await receive()

      const claims = await Promise.all(Array.from({ length: 10 }, () => claimDelivery(2_000)))
      const early = await claimDelivery(61_999)
      const late = await claimDelivery(62_000)

      expect(claims.filter((claim) => claim !== null)).toHaveLength(1)
      expect([early, late?.attempt]).toEqual([null, 2])
    })

    it('is claimed again when the claim was made while the clock ran ahead', async () => {
      await receive()
      await claimDelivery(30 * 86_400_000)

      expect(await claimDelivery(2_000)).toMatchObject({ attempt: 2 })
    })

    it('rejects writes under a superseded claim', async () => {
      await receive()
      const first = await claimDelivery(2_000)
      await claimDelivery(100_000)
      const end = { state: 'done', outcome: 'Done.', finishedAt: 3_000 } as const

      expect(await finishClaim(store.durable, 'webhookDeliveries', first ?? { id: '', attempt: 0 }, end)).toBeNull()
    })

    it('waits for its next attempt, and is queued again when its sender repeats it after a final failure', async () => {
      await receive()
      const first = (await claimDelivery(2_000)) ?? { id: '', attempt: 0 }
      await releaseClaim(store.durable, 'webhookDeliveries', first, 9_000, { outcome: 'Later.' })
      expect(await claimDelivery(8_999)).toBeNull()
      const second = (await claimDelivery(9_000)) ?? { id: '', attempt: 0 }
      await finishClaim(store.durable, 'webhookDeliveries', second, {
        state: 'failed',
        outcome: 'No.',
        finishedAt: 9_001,
      })

      expect(await claimDelivery(99_999)).toBeNull()
      expect(await receive({ receivedAt: 100_000 })).toBe(true)
      expect(await claimDelivery(100_000)).toMatchObject({ deliveryId: 'd-1', attempt: 1 })
    })

    it('that is ignored is stored for inspection, and deleted eventually', async () => {
      await receive({ ignoredFor: 'Nothing.' })
      await receive({ deliveryId: 'd-2', receivedAt: 2_000 })

      expect((await claimDelivery(3_000))?.deliveryId).toBe('d-2')
      await removeOldWebhookDeliveries(store.durable, 5_000)
      const left = (await listWebhookDeliveries(store.durable, { source: `site:${site.id}`, limit: 10 })).items
      expect(left.map(({ deliveryId }) => deliveryId)).toEqual(['d-2'])
    })
  })

  describe('a comment addressed to the agent', () => {
    const comment = () => ({ siteId: site.id, commentId: 'comment:1', pullRequestId: 'pull_1' })
    const claimAnswer = (now: number) => claimCommentAnswer(store.durable, { now, leaseUntil: now + 60_000 })

    it('is one message to its job, however often and concurrently it arrives', async () => {
      const job = await createJob()
      const message = { jobId: job.id, prompt: 'Again.', comment: comment(), createdAt: 2_000 }

      await Promise.all(Array.from({ length: 20 }, () => addAgentJobMessage(store.durable, message)))

      expect((await listAgentJobMessages(store.durable, job.id, 0)).map(({ text }) => text)).toEqual([
        'Do it.',
        'Again.',
      ])
    })

    it('is answered when followed, and again when the job has ended', async () => {
      const job = await createJob()
      await addAgentJobMessage(store.durable, { jobId: job.id, prompt: 'Again.', comment: comment(), createdAt: 2_000 })

      const begun = await claimAnswer(2_000)
      if (begun !== null) {
        await updateCommentAnswer(store.durable, begun, { state: 'working', answerId: 'answer_1' }, 3_000)
      }
      const meanwhile = await claimAnswer(3_000)
      await endJob(job, 2)
      const ended = await claimAnswer(4_000)
      if (ended !== null) await updateCommentAnswer(store.durable, ended, { state: 'ended' }, 5_000)

      expect([begun?.answerId, meanwhile, ended?.answerId, await claimAnswer(99_000)]).toEqual([
        null,
        null,
        'answer_1',
        null,
      ])
    })
  })

  describe("a job's pull request", () => {
    it('is found by its number, and only by the full number', async () => {
      const job = await createJob()
      const find = (number: number) => listAgentJobsOfPullRequest(store.durable, { siteId: site.id, number })

      expect((await find(7)).map(({ id }) => id)).toEqual([job.id])
      expect([await find(77), await find(1)]).toEqual([[], []])
    })

    it('is announced once when merged, with a job event', async () => {
      await addEndpoint()
      const job = await createJob()
      const merged = { ...pullRequest, state: 'merged' as const }

      await Promise.all(
        Array.from({ length: 5 }, () =>
          setAgentJobPullRequest(store.durable, { id: job.id, pullRequest: merged, now: 4_000 }),
        ),
      )

      expect((await getAgentJob(store.durable, job.id))?.pullRequest?.state).toBe('merged')
      expect((await listSends()).map(({ type }) => type)).toEqual(['pull_request.merged'])
      const events = await listAgentJobEvents(store.durable, { jobId: job.id, after: 0, limit: 10 })
      expect(events.map(({ event }) => event.type)).toEqual(['message-received', 'pull-request-changed'])
    })

    it('is left unchanged when the job has another one by now', async () => {
      const job = await createJob()
      const other = { ...pullRequest, id: 'pull_2', state: 'merged' as const }

      await setAgentJobPullRequest(store.durable, { id: job.id, pullRequest: other, now: 4_000 })

      expect((await getAgentJob(store.durable, job.id))?.pullRequest).toEqual(pullRequest)
    })
  })

  describe('an announced event', () => {
    it('reaches its subscribers, and no one else', async () => {
      await announce('before')
      await addEndpoint()
      await store.durable
        .updateTable('webhookEndpoints')
        .set({ events: ['job.ended'] })
        .execute()
      await announce('other')
      await store.durable
        .updateTable('webhookEndpoints')
        .set({ events: ['sync.failed'] })
        .execute()
      await announce('wanted')
      await announce('wanted')

      expect((await listSends()).map(({ type }) => type)).toEqual(['sync.failed'])
    })

    it('is queued with the change it announces, or not at all', async () => {
      await addEndpoint()
      const undone = store.durable.transaction().execute(async (transaction) => {
        const data = { siteId: site.id, slug: 'docs', runId: 'run', failure: 'It broke.' }
        const body = { type: 'sync.failed' as const, timestamp: '2026-01-01T00:00:00.000Z', data }
        await announceEvent(transaction, { organizationId, subject: 'run', body, now: 1 })
        throw new Error('changed my mind')
      })

      await expect(undone).rejects.toThrow('changed my mind')
      expect(await listSends()).toEqual([])
    })

    it('is sent for ended and cancelled jobs and for failed syncs', async () => {
      await addEndpoint()
      const ended = await createJob()
      await endJob(ended)
      const cancelled = await createJob()
      await cancelAgentJob(store.durable, cancelled.id, 5_000)
      for (const [id, failure] of [
        ['run_1', null],
        ['run_2', 'No page was found.'],
      ] as const) {
        await enqueueIndexRun(store.durable, { id, siteId: site.id, cause: 'sync-requested', createdAt: 1_000 })
        const run = await claimIndexRun(store.durable, { now: 1_000, leaseUntil: 31_000 })
        await finishIndexRun(store.durable, { id, attempt: run?.attempt ?? 0, failure, finishedAt: 6_000 })
        await finishIndexRun(store.durable, { id, attempt: run?.attempt ?? 0, failure: 'Late.', finishedAt: 7_000 })
      }

      expect((await listSends()).map(({ type }) => type)).toEqual(['sync.failed', 'job.ended', 'job.ended'])
    })
  })

  describe('an endpoint', () => {
    it('gets each event through one of many claims, and none while it is busy or disabled', async () => {
      await addEndpoint()
      await announce('a')

      expect(await claimSend(2_000, [endpointId])).toBeNull()
      const claims = await Promise.all(Array.from({ length: 8 }, () => claimSend(2_000)))
      expect(claims.filter((claim) => claim !== null)).toMatchObject([
        { endpointId, url: 'https://example.com/hook', tries: 0 },
      ])
      await announce('b')
      await switchOffWebhookEndpoint(store.durable, { id: endpointId, reason: 'Off.' })
      expect(await claimSend(200_000)).toBeNull()
      expect((await listSends()).map(({ state, failure }) => [state, failure])).toEqual([
        ['failed', 'Off.'],
        ['failed', 'Off.'],
      ])
      expect(await getWebhookEndpoint(store.durable, endpointId)).toMatchObject({
        isEnabled: false,
        disabledReason: 'Off.',
      })
    })

    it('counts as failing since the first failure after the last success', async () => {
      await addEndpoint()
      await announce('a')
      const record = async (outcome: WebhookAttempt) => {
        const claim = await claimSend(outcome.now)
        return recordWebhookAttempt(store.durable, claim ?? { id: '', attempt: 0, tries: 0, endpointId }, outcome)
      }

      const first = await record(failed({ retryAt: 6_000 }))
      const second = await record(failed({ retryAt: 9_000, now: 8_000 }))
      const third = await record(failed({ failure: null, status: 204, now: 10_000 }))

      expect([first, second, third]).toEqual([{ failingSince: 5_000 }, { failingSince: 5_000 }, { failingSince: null }])
      expect(await listSends()).toMatchObject([{ state: 'succeeded', tries: 3, status: 204 }])
    })

    it('ignores an attempt that ends too late', async () => {
      await addEndpoint()
      await announce('a')
      const slow = await claimSend(2_000)
      const id = slow?.id ?? ''
      await requeueWebhookSend(store.durable, id, 3_000)

      expect(
        await recordWebhookAttempt(store.durable, slow ?? { id, attempt: 0, tries: 0, endpointId }, failed()),
      ).toBe('lost')
      expect(await getWebhookSend(store.durable, id)).toMatchObject({ state: 'queued', tries: 0, runAt: 3_000 })
    })

    it('is deleted with its sends', async () => {
      await addEndpoint()
      await announce('a')

      expect(await deleteWebhookEndpoint(store.durable, endpointId)).toBe(true)
      expect([await listSends(), await claimSend(9_000)]).toEqual([[], null])
    })
  })
}

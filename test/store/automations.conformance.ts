import { beforeEach, expect, it } from 'vitest'
import { finishClaim, releaseAllClaims, releaseClaim } from '../../src/store/queue.ts'
import { addAgentJobMessage, listAgentJobMessages } from '../../src/store/agent/agent-job-messages.ts'
import { recordSideEffect } from '../../src/store/agent/agent-job-steps.ts'
import { claimAgentJob, getAgentJob, insertAgentJob, type NewAgentJob } from '../../src/store/agent/agent-jobs.ts'
import {
  AutomationMovedError,
  type AutomationRun,
  type AutomationStart,
  claimAutomationRun,
  countStartedRuns,
  insertAutomationRun,
  listAutomationJobsOfSite,
  listAutomationRuns,
  listJobsOfAutomation,
  releaseAutomations,
} from '../../src/store/agent/automation-runs.ts'
import {
  type Automation,
  claimDueAutomation,
  deleteAutomation,
  getAutomation,
  triggerAutomations,
  insertAutomation,
  listAutomations,
  listWatchingAutomations,
  recordAutomationCheck,
  resetWatchers,
  updateAutomation,
} from '../../src/store/agent/automations.ts'
import {
  type ContextRepository,
  deleteContextRepository,
  getContextRepository,
  insertContextRepository,
  listContextRepositories,
  listContextRepositoriesOfOrganization,
  updateContextRepository,
} from '../../src/store/sites/context-repositories.ts'
import { getProject } from '../../src/store/accounts/projects.ts'
import { deleteSite, type Site } from '../../src/store/sites/sites.ts'
import type { Store } from '../../src/store/store.ts'
import { emptyStore, freshId, seedSite, type StoreHarness } from './store-samples.ts'

export function declareAutomationTests(harness: StoreHarness): void {
  let store: Store
  let site: Site
  let organizationId: string

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    site = await seedSite(store)
    organizationId = (await getProject(store.durable, site.projectId))?.organizationId ?? ''
  })

  const add = async (change: Partial<Automation> = {}): Promise<Automation> => {
    const automation: Automation = {
      id: `automation_${freshId()}`,
      siteId: site.id,
      name: 'Keep up',
      isEnabled: true,
      prompt: 'Bring {{files}} up to date.',
      trigger: { type: 'push' },
      openMax: 1,
      dailyMax: 10,
      revision: 'aaa',
      coveredRevision: 'aaa',
      version: 0,
      started: 0,
      dueAt: 1_000,
      failure: null,
      createdAt: 500,
      updatedAt: 500,
      ...change,
    }
    await insertAutomation(store.durable, automation)
    return automation
  }
  const queue = (automationId: string, occurrence: string, now = 1_000) =>
    insertAutomationRun(store.durable, {
      id: `arun_${freshId()}`,
      automationId,
      occurrence,
      cause: 'push',
      from: 'aaa',
      to: 'bbb',
      now,
    })
  const claimRun = (now: number) => claimAutomationRun(store.durable, { now, leaseUntil: now + 1_000 })
  const claimDue = (now: number) => claimDueAutomation(store.durable, { now, claimedUntil: now + 1_000 })
  const newJob = (automation?: AutomationStart): NewAgentJob => ({
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
    requestHash: 'x',
    automation,
    createdAt: 5_000,
  })
  const startOf = (run: AutomationRun, started = 0): AutomationStart => ({
    run,
    automationId: run.automationId,
    started,
    coveredRevision: 'bbb',
    outcome: 'A new job.',
  })
  const context = (change: Partial<ContextRepository> = {}): ContextRepository => ({
    id: `context_${freshId()}`,
    siteId: site.id,
    name: 'product',
    source: { kind: 'github', location: 'https://github.com/acme/product', ref: 'main', subdirectory: 'src' },
    role: 'reference',
    credentialSealed: 'sealed',
    createdAt: 7,
    ...change,
  })

  it('stores an automation as written, and updates only the changed fields', async () => {
    const written = await add({ trigger: { type: 'schedule', cron: '0 6 * * *', timeZone: 'Europe/Vienna' } })
    expect(await getAutomation(store.durable, written.id)).toEqual(written)

    const change = { ...written, name: 'Other', isEnabled: false, openMax: 3, updatedAt: 900, dueAt: null }
    await updateAutomation(store.durable, written.id, change)

    expect(await getAutomation(store.durable, written.id)).toEqual({ ...change, version: 1 })
    const listed = await listAutomations(store.durable, { organizationId, limit: 10 })
    expect(listed.items.map(({ id }) => id)).toEqual([written.id])
    expect((await listAutomations(store.durable, { organizationId: 'other', limit: 10 })).items).toEqual([])
  })

  it('gives a due automation to one of several concurrent claimants, and again once the claim has expired', async () => {
    const { id } = await add()

    const claims = await Promise.all([claimDue(1_000), claimDue(1_000), claimDue(1_000)])

    expect(claims.flatMap((claim) => (claim === null ? [] : [claim.id]))).toEqual([id])
    expect(await claimDue(1_999)).toBeNull()
    expect((await claimDue(2_000))?.id).toBe(id)
  })

  it('ignores automations that are disabled or not due', async () => {
    await add({ isEnabled: false })
    await add({ dueAt: 2_000 })
    await add({ dueAt: null })

    expect(await claimDue(1_999)).toBeNull()
  })

  it('records the result of a check once, with its run, however many workers checked', async () => {
    const automation = await add()
    const look = (id: string) => ({
      revision: 'bbb',
      dueAt: 9_000,
      failure: null,
      run: { id, occurrence: 'push:0:bbb', cause: 'push' as const, from: 'aaa', to: 'bbb' },
      now: 1_000,
    })

    const noted = await Promise.all([
      recordAutomationCheck(store.durable, automation, look('arun_1')),
      recordAutomationCheck(store.durable, automation, look('arun_2')),
    ])

    expect(noted.filter(Boolean)).toHaveLength(1)
    const { items } = await listAutomationRuns(store.durable, { automationId: automation.id, limit: 10 })
    expect(items).toHaveLength(1)
    expect(await getAutomation(store.durable, automation.id)).toMatchObject({
      revision: 'bbb',
      version: 1,
      dueAt: 9_000,
    })
  })

  it('repeats a check if the branch moves during it', async () => {
    const automation = await add()
    const claimed = await claimDue(1_000)

    await triggerAutomations(store.durable, [automation.id], 1_100)
    const late = { dueAt: null, failure: null, run: null, now: 1_200 }

    expect(claimed && (await recordAutomationCheck(store.durable, claimed, late))).toBe(false)
    expect((await claimDue(1_100))?.id).toBe(automation.id)
  })

  it('finds the automations that watch a branch, and restarts them', async () => {
    const push = await add()
    const merge = await add({ trigger: { type: 'merge', contextRepositoryId: 'context_1' } })
    await add({ trigger: { type: 'manual' } })

    const watching = await listWatchingAutomations(store.durable, { siteIds: [site.id], contextIds: ['context_1'] })
    await resetWatchers(store.durable, { siteIds: [], contextIds: ['context_1'] }, 3_000)

    expect(watching.map(({ id }) => id).toSorted()).toEqual([push.id, merge.id].toSorted())
    expect(await getAutomation(store.durable, merge.id)).toMatchObject({ revision: null, coveredRevision: null })
    expect(await getAutomation(store.durable, push.id)).toMatchObject({ revision: 'aaa' })
  })

  it('has one run per occurrence, and deletes old runs', async () => {
    const { id } = await add()

    const made = await Promise.all([queue(id, 'a'), queue(id, 'a'), queue(id, 'b')])

    expect(made.filter(Boolean)).toHaveLength(2)
    const run = await claimRun(1_000)
    if (run === null) throw new Error('There is no run.')
    await finishClaim(store.durable, 'automationRuns', run, {
      state: 'skipped',
      outcome: 'Nothing.',
      finishedAt: 1_000,
    })
    await queue(id, 'c', 1_001 + 90 * 24 * 3_600_000)
    const { items } = await listAutomationRuns(store.durable, { automationId: id, limit: 10 })
    expect(items.map(({ occurrence }) => occurrence).toSorted()).toEqual(['b', 'c'])
  })

  it('gives a run to one worker at a time, and accepts no write from one that has lost it', async () => {
    const { id } = await add()
    await queue(id, 'a')

    const claims = await Promise.all([claimRun(1_000), claimRun(1_000)])
    const first = claims.find((claim) => claim !== null) ?? null
    const second = await claimRun(2_000)

    expect(claims.filter((claim) => claim !== null)).toHaveLength(1)
    expect(second).toMatchObject({ attempt: 2 })
    const end = { state: 'skipped' as const, outcome: 'Nothing.', finishedAt: 2_000 }
    expect(first && (await finishClaim(store.durable, 'automationRuns', first, end))).toBeNull()
    expect(second && (await releaseClaim(store.durable, 'automationRuns', second, 9_000, { outcome: 'Later.' }))).toBe(
      true,
    )
    expect(await claimRun(8_999)).toBeNull()
    expect(await claimRun(9_000)).toMatchObject({ attempt: 3, outcome: 'Later.' })
  })

  it("creates a run's job and starts the run in one transaction, once", async () => {
    const { id } = await add()
    await queue(id, 'a')
    const run = await claimRun(1_000)
    if (run === null) throw new Error('There is no run.')

    const { job } = await insertAgentJob(store.durable, newJob(startOf(run)))
    const again = newJob(startOf(run, 1))
    await expect(insertAgentJob(store.durable, again)).rejects.toThrow(AutomationMovedError)

    expect(await getAgentJob(store.durable, again.id)).toBeNull()
    expect(await getAutomation(store.durable, id)).toMatchObject({ started: 1, coveredRevision: 'bbb' })
    const { items } = await listAutomationRuns(store.durable, { automationId: id, limit: 10 })
    expect(items[0]).toMatchObject({ state: 'started', jobId: job.id, outcome: 'A new job.', finishedAt: 5_000 })
    expect(await listJobsOfAutomation(store.durable, id, 10)).toEqual([job.id])
    expect(await listAutomationJobsOfSite(store.durable, site.id, 10)).toEqual([job.id])
    expect(await countStartedRuns(store.durable, id, 5_000)).toBe(1)
    expect(await countStartedRuns(store.durable, id, 5_001)).toBe(0)
  })

  it('starts only one of two runs decided on the same state of the automation', async () => {
    const { id } = await add()
    await queue(id, 'a')
    await queue(id, 'b')
    const runs = [await claimRun(1_000), await claimRun(1_000)].filter((run) => run !== null)
    const jobs = runs.map((run) => newJob(startOf(run)))

    const outcomes = await Promise.allSettled(jobs.map((job) => insertAgentJob(store.durable, job)))

    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const written = await Promise.all(jobs.map((job) => getAgentJob(store.durable, job.id)))
    expect(written.filter((job) => job !== null)).toHaveLength(1)
  })

  it("sends a run's message and starts the run in one transaction, once", async () => {
    const { id } = await add()
    await queue(id, 'a')
    const run = await claimRun(1_000)
    if (run === null) throw new Error('There is no run.')
    const { job } = await insertAgentJob(store.durable, newJob())
    const message = (started: number) => ({
      jobId: job.id,
      prompt: 'And this.',
      createdAt: 6_000,
      automation: startOf(run, started),
    })

    await addAgentJobMessage(store.durable, message(0))
    await expect(addAgentJobMessage(store.durable, message(1))).rejects.toThrow(AutomationMovedError)

    expect(await listAgentJobMessages(store.durable, job.id, 0)).toHaveLength(2)
    expect(await getAutomation(store.durable, id)).toMatchObject({ started: 1 })
  })

  it('releases the claims of a killed process', async () => {
    const { id } = await add()
    await queue(id, 'a')
    await claimDue(1_000)
    await claimRun(1_000)

    await releaseAutomations(store.durable)
    await releaseAllClaims(store.durable, 'automationRuns', 1_100)

    expect((await claimDue(1_100))?.id).toBe(id)
    expect(await claimRun(1_100)).toMatchObject({ attempt: 2 })
  })

  it('keeps names of context repositories unique within a site', async () => {
    const product = context()
    const other = context({ name: 'api', source: { ...product.source, kind: 'git' }, credentialSealed: null })

    expect(await insertContextRepository(store.durable, product)).toBe(true)
    expect(await insertContextRepository(store.durable, context())).toBe(false)
    expect(await insertContextRepository(store.durable, other)).toBe(true)

    expect(await listContextRepositories(store.durable, { siteId: site.id })).toEqual([other, product])
    expect(await listContextRepositoriesOfOrganization(store.durable, organizationId)).toEqual([other, product])
    expect(await listContextRepositoriesOfOrganization(store.durable, 'other')).toEqual([])
    const source = { ...product.source, ref: 'next' }
    await updateContextRepository(store.durable, { id: product.id, source, role: 'product', credentialSealed: null })
    expect(await getContextRepository(store.durable, product.id)).toEqual({
      ...product,
      source,
      role: 'product',
      credentialSealed: null,
    })
    await deleteContextRepository(store.durable, other.id)
    expect(await listContextRepositories(store.durable)).toHaveLength(1)
  })

  it("shows which context repositories a job's round could read", async () => {
    const { job } = await insertAgentJob(store.durable, newJob())
    const claimed = await claimAgentJob(store.durable, { now: 6_000, leaseUntil: 9_000 })
    if (claimed === null) throw new Error('There is no job.')
    const contextRepositories = [{ name: 'product', repository: 'acme/product', commit: 'abc', problem: null }]

    await recordSideEffect(store.durable, claimed, { contextRepositories, events: [], now: 6_000 })

    expect(job.contextRepositories).toEqual([])
    expect((await getAgentJob(store.durable, job.id))?.contextRepositories).toEqual(contextRepositories)
  })

  it('removes them with their automation and their site', async () => {
    const { id } = await add()
    await queue(id, 'a')
    await insertContextRepository(store.durable, context())

    expect(await deleteAutomation(store.durable, id)).toBe(true)
    expect(await deleteAutomation(store.durable, id)).toBe(false)
    expect((await listAutomationRuns(store.durable, { automationId: id, limit: 10 })).items).toEqual([])
    await deleteSite(store.durable, site.id)
    expect(await listContextRepositories(store.durable)).toEqual([])
  })
}

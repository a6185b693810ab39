import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sampleMessage, sampleSite, sampleThread } from '../../test/store/store-samples.ts'
import { createIdSource } from '../base/ids.ts'
import { getGap, insertGaps } from '../store/answers/gaps.ts'
import { insertMessages } from '../store/answers/messages.ts'
import { saveThreads } from '../store/answers/threads.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import { insertProject } from '../store/accounts/projects.ts'
import { openStore } from '../store/open-store.ts'
import { acquireLease, releaseLease } from '../store/leases.ts'
import { insertSite, updateSite } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { silentLog } from '../telemetry/log.ts'
import { GapWorker, type GapWorkerDeps } from './gap-worker.ts'

const now = 5_000
const clock = { now: () => now }
const site = sampleSite('project')

describe('a round', () => {
  let folder: string
  let store: Store
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-gaps-'))
    store = await openStore({ folder })
    await insertOrganization(store.durable, { id: 'org', name: 'Org', createdAt: 1 })
    await insertProject(store.durable, { id: 'project', organizationId: 'org', name: 'Project', createdAt: 1 })
    await insertSite(store.durable, site)
    const counts = {
      pageCount: 1,
      chunkCount: 1,
      findings: '[]' as never,
      selfCheck: null,
      isWaiting: false,
      icon: null,
    }
    const generation = { id: 'gen', siteId: site.id, number: 1, revision: 'r', file: 'f', createdAt: 3_000, ...counts }
    await store.durable.insertInto('indexGenerations').values(generation).execute()
  })
  afterEach(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('passes over a gap whose site cannot be found, so that it keeps no others from being asked again', async () => {
    const thread = sampleThread(site.id)
    const question = sampleMessage(thread, { id: 'question', role: 'user' })
    await saveThreads(store.durable, [thread])
    await insertMessages(store.durable, [question])
    const gap = {
      id: 'gap',
      siteId: site.id,
      questionId: 'question',
      state: 'fixed' as const,
      jobId: 'job',
      retried: [],
    }
    await insertGaps(store.durable, [
      { ...gap, failure: null, commit: null, ruledAt: null, createdAt: 1_000, updatedAt: 1_000 },
    ])
    const models = () => Promise.resolve({ answering: { provider: 'docent', modelId: 'offline' } })
    const sites = { find: () => Promise.resolve(null) }
    const deps = { store, clock, ids: createIdSource(clock), log: silentLog, sites, answers: { models } }
    // A round over a gap without a site uses nothing else.
    const worker = new GapWorker(deps as unknown as GapWorkerDeps)

    await worker.runRound()

    expect(await getGap(store.durable, 'gap')).toMatchObject({ state: 'fixed', updatedAt: now })
  })

  it('applies the rule of a site in the next round when the lease of a killed process was in the way', async () => {
    await updateSite(store.durable, site.id, { settings: { gapJobReaders: 1 } })
    const cluster = vi.fn(() => Promise.resolve([]))
    const models = () => Promise.resolve({ answering: { provider: 'docent', modelId: 'offline' } })
    const deps = {
      store,
      clock,
      ids: createIdSource(clock),
      log: silentLog,
      clusters: { cluster },
      answers: { models },
    }
    const worker = new GapWorker(deps as unknown as GapWorkerDeps)
    const left = { name: `gap-rule:${site.id}`, owner: 'killed' }
    await acquireLease(store.durable, left, 15_000)

    await worker.runRound()
    expect(cluster).not.toHaveBeenCalled()
    await releaseLease(store.durable, left)
    await worker.runRound()

    expect(cluster).toHaveBeenCalledOnce()
  })
})

describe('the time of rounds', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Its database is out of reach, so that each round says in the log that it failed. */
  function startWorker() {
    const rounds: string[] = []
    const log = { warn: (_: object, message: string) => void rounds.push(message) }
    const worker = new GapWorker({ store: {}, log } as unknown as GapWorkerDeps)
    worker.start()
    return { worker, rounds }
  }

  it('takes up what a killed process has left seconds after the start, and looks again every minute', async () => {
    const { worker, rounds } = startWorker()

    await vi.advanceTimersByTimeAsync(5_000)
    expect(rounds).toEqual(['gap-round-failed'])
    await vi.advanceTimersByTimeAsync(120_000)
    await worker.stop()

    expect(rounds).toHaveLength(3)
  })

  it('begins no round once it is stopped', async () => {
    const { worker, rounds } = startWorker()

    await worker.stop()
    worker.wake()
    await vi.advanceTimersByTimeAsync(120_000)

    expect(rounds).toEqual([])
  })
})

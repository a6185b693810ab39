import { beforeEach, expect, it } from 'vitest'
import { createIdSource } from '../../src/base/ids.ts'
import { DatabaseClock } from '../../src/store/database-clock.ts'
import { releaseLease, renewLease, acquireLease } from '../../src/store/leases.ts'
import { insertOrganization } from '../../src/store/accounts/organizations.ts'
import { insertRepository } from '../../src/store/hosting/repositories.ts'
import {
  getRepositoryState,
  getRepositoryVersion,
  insertRepositoryState,
  recordRepositoryState,
  type RepositoryState,
} from '../../src/store/hosting/repository-states.ts'
import { emptyStore, freshId, type StoreHarness } from './store-samples.ts'
import { LeaseHeldError, withLease } from '../../src/store/with-lease.ts'

/** What processes on one database coordinate through rows: leases, time and repository states. */
export function declareSharedRowTests(harness: StoreHarness): void {
  const ids = createIdSource({ now: () => 0 })
  const { signal } = new AbortController()

  beforeEach(() => emptyStore(harness.store()))

  it('a lease has one holder, and only the holder renews and releases it', async () => {
    const { durable } = harness.store()
    const name = freshId()
    const [one, other] = [
      { name, owner: 'one' },
      { name, owner: 'other' },
    ]

    const taken = await Promise.all([acquireLease(durable, one, 60_000), acquireLease(durable, other, 60_000)])
    const [holder, loser] = taken[0] ? [one, other] : [other, one]
    const renewed = [await renewLease(durable, holder, 60_000), await renewLease(durable, loser, 60_000)]
    await releaseLease(durable, loser)
    const whileHeld = await acquireLease(durable, loser, 60_000)
    await releaseLease(durable, holder)

    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(renewed).toEqual([true, false])
    expect(whileHeld).toBe(false)
    expect(await acquireLease(durable, loser, 60_000)).toBe(true)
  })

  it('an expired lease is acquired by another process and lost to its holder', async () => {
    const { durable } = harness.store()
    const name = freshId()
    await acquireLease(durable, { name, owner: 'killed' }, -1)

    expect(await renewLease(durable, { name, owner: 'killed' }, 60_000)).toBe(false)
    expect(await acquireLease(durable, { name, owner: 'next' }, 60_000)).toBe(true)
  })

  it('a lease set while the clock ran ahead is acquired by another process', async () => {
    const { durable } = harness.store()
    const name = freshId()
    await acquireLease(durable, { name, owner: 'killed' }, 30 * 86_400_000)

    expect(await acquireLease(durable, { name, owner: 'next' }, 60_000)).toBe(true)
  })

  it('work under a lease never overlaps, and a caller that may not wait is refused', async () => {
    const store = harness.store()
    const name = freshId()
    let running = 0
    let most = 0
    const work = async () => {
      most = Math.max(most, ++running)
      await store.ping()
      running--
    }

    const options = { name, signal }
    const refused = await withLease({ store, ids }, options, () =>
      withLease({ store, ids }, { ...options, waitMsMax: 0 }, work).catch((error: unknown) => error),
    )
    await Promise.all(Array.from({ length: 5 }, () => withLease({ store, ids }, options, work)))

    expect(refused).toBeInstanceOf(LeaseHeldError)
    expect(most).toBe(1)
  })

  it("the database provides the time, whatever the origin of the machine's counter", async () => {
    const store = harness.store()
    const clocks = [-7_200_000, 0, 7_200_000].map((start) => new DatabaseClock(store, () => performance.now() + start))

    for (const clock of clocks) await clock.measure()
    const times = clocks.map((clock) => clock.now())

    // A round trip on a busy machine takes seconds at worst; the clocks are hours apart.
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(60_000)
  })

  it('a repository state succeeds only its direct predecessor', async () => {
    const { durable } = harness.store()
    const first = await seedState(harness)
    const next = { ...first, version: 2, refs: new Map([['refs/heads/main', 'b'.repeat(40)]]) }

    const recorded = await Promise.all([
      recordRepositoryState(durable, next, 1),
      recordRepositoryState(durable, next, 1),
    ])

    expect(recorded.filter(Boolean)).toHaveLength(1)
    expect(await getRepositoryVersion(durable, first.repositoryId)).toBe(2)
    expect(await getRepositoryState(durable, first.repositoryId)).toEqual(next)
    expect(await insertRepositoryState(durable, first)).toBe(false)
  })

  it('packs are released once no state references them, and not before', async () => {
    const { durable } = harness.store()
    const [one, other, all] = ['1', '2', '3'].map((digit) => freshId().padEnd(63, 'x') + digit) as [
      string,
      string,
      string,
    ]
    for (const hash of [one, other, all])
      await durable.insertInto('blobs').values({ hash, size: 1, touchedAt: 5 }).execute()
    const first = await seedState(harness)
    await recordRepositoryState(durable, { ...first, version: 2, packs: [one, other] }, 10)

    await recordRepositoryState(durable, { ...first, version: 3, packs: [all] }, 20)

    expect((await getRepositoryState(durable, first.repositoryId))?.packs).toEqual([all])
    const rows = await durable.selectFrom('blobs').select(['hash', 'touchedAt']).where('touchedAt', '=', 20).execute()
    expect(rows.map(({ hash }) => hash).toSorted()).toEqual([one, other].toSorted())
  })
}

async function seedState(harness: StoreHarness): Promise<RepositoryState> {
  const { durable } = harness.store()
  const id = freshId()
  await insertOrganization(durable, { id: freshId(), name: 'Example', createdAt: 1 })
  const organizationId = (await durable.selectFrom('organizations').select('id').executeTakeFirstOrThrow()).id
  const named = { organizationId, name: `${organizationId}/${id}`, folder: `${id}.git`, defaultBranch: 'main' }
  await insertRepository(durable, { id, ...named, createdAt: 1 })
  const refs = new Map([['refs/heads/main', 'a'.repeat(40)]])
  const state = { repositoryId: id, version: 1, head: 'refs/heads/main', refs, shallow: null, packs: [] }
  await insertRepositoryState(durable, state)
  return state
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sampleKey, seedSite } from '../../../test/store/store-samples.ts'
import { insertKey, revokeKey } from '../../store/accounts/keys.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { KeyDirectory } from './key-directory.ts'
import { hashKeySecret } from './key-secret.ts'

const clock = { at: Date.UTC(2026, 10, 21, 12), now: () => clock.at }

let store: Store
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-key-directory-'))
  store = await openStore({ folder })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function setup() {
  await store.durable.deleteFrom('organizations').execute()
  await seedSite(store)
  const { id } = await store.durable.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  const secret = `svc_dsc_${crypto.randomUUID()}`
  const key = { ...sampleKey(id), hash: hashKeySecret(secret) }
  await insertKey(store.durable, key)
  const { db, reads, letEnd } = holdReads(store.durable)
  return { keys: new KeyDirectory({ ...store, durable: db }, clock), key, secret, reads, letEnd }
}

/** The database, except that what the first query has read arrives only when it is let. */
function holdReads(durable: Store['durable']) {
  const { promise: held, resolve: letEnd } = Promise.withResolvers<void>()
  const reads: number[] = []
  const hold = <Query extends object>(query: Query, index: number): Query =>
    new Proxy(query, {
      get:
        (target, name) =>
        (...args: unknown[]) => {
          const result: unknown = (Reflect.get(target, name) as (...given: unknown[]) => unknown).apply(target, args) // All of its properties that are used are methods.
          if (!(result instanceof Promise)) return hold(result as object, index)
          return result.then(async (row: unknown) => {
            if (index === 0) await held
            return row
          })
        },
    })
  const selectFrom = (from: 'keys') => hold(durable.selectFrom(from), reads.push(reads.length) - 1)
  return { db: { selectFrom } as unknown as Store['durable'], reads, letEnd }
}

it('reads a key once for all requests that arrive meanwhile', async () => {
  const { keys, key, secret, reads, letEnd } = await setup()

  const finding = Promise.all(Array.from({ length: 20 }, () => keys.find(secret)))
  letEnd()
  const found = await finding

  expect(reads).toHaveLength(1)
  expect(new Set(found.map((each) => each?.id))).toEqual(new Set([key.id]))
})

it('shares no lookup that began before a change made here, and keeps nothing that it read', async () => {
  const { keys, key, secret, letEnd } = await setup()
  const before = keys.find(secret)
  await store.ping()

  await revokeKey(store.durable, key.id, clock.now())
  keys.forget()

  expect((await keys.find(secret))?.revokedAt).toBe(clock.now())
  letEnd()
  expect((await before)?.revokedAt).toBeNull()
  expect((await keys.find(secret))?.revokedAt).toBe(clock.now())
})

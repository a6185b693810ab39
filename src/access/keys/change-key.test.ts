import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keyDefaults } from '../../contract/key-defaults.ts'
import { type ApiKey, getKey, insertKey, revokeKey } from '../../store/accounts/keys.ts'
import { openStore } from '../../store/open-store.ts'
import { sampleKey, seedSite } from '../../../test/store/store-samples.ts'
import type { Store } from '../../store/store.ts'
import { changeKey } from './change-key.ts'
import { KeyDirectory } from './key-directory.ts'
import { hashKeySecret } from './key-secret.ts'

let store: Store
let folder: string
let siteId: string
let organizationId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-change-key-'))
  store = await openStore({ folder })
  siteId = (await seedSite(store)).id
  organizationId = (await store.durable.selectFrom('organizations').select('id').executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const clock = { at: Date.UTC(2026, 10, 21, 12), now: () => clock.at }

async function setup(change: Partial<ApiKey> = {}) {
  const secret = `svc_dsc_${crypto.randomUUID()}`
  const shape: Partial<ApiKey> = { kind: 'assistant', siteId, scopes: [], purpose: 'server', expiresAt: null }
  const options = { ...shape, ...keyDefaults.server, ...change }
  const key = { ...sampleKey(organizationId, options), hash: hashKeySecret(secret) }
  await insertKey(store.durable, key)
  const { hash: _, ...stored } = key
  return { key: stored, secret }
}

it('reaches other processes as fast as a revocation', async () => {
  const { key, secret } = await setup()
  const elsewhere = new KeyDirectory(store, clock)
  await elsewhere.find(secret)

  await changeKey({ store, clock }, key, { name: 'Portal', networkPerMinute: 7 })
  clock.at += 3_000

  expect(await elsewhere.find(secret)).toMatchObject({ name: 'Portal', networkPerMinute: 7 })
})

it('keeps what a concurrent change wrote', async () => {
  const { key } = await setup()

  // Both have read the key before either writes.
  await changeKey({ store, clock }, key, { name: 'Portal' })
  await changeKey({ store, clock }, key, { session: 'always' })

  expect(await getKey(store.durable, key.id)).toEqual({ ...key, name: 'Portal', session: 'always' })
})

it('applies the defaults of the new purpose, except for options in the change', async () => {
  const { key } = await setup({ networkPerMinute: 7 })

  const website = await changeKey({ store, clock }, key, { purpose: 'website', networkPerDay: 9 })
  const same = await changeKey({ store, clock }, website.key, { purpose: 'website' })
  const server = await changeKey({ store, clock }, same.key, { purpose: 'server' })

  expect(website.key).toEqual({ ...key, ...keyDefaults.website, purpose: 'website', networkPerDay: 9 })
  expect(same).toEqual({ key: website.key, changes: [] })
  expect(server.key).toEqual({ ...key, ...keyDefaults.server, purpose: 'server' })
  expect(await getKey(store.durable, key.id)).toEqual(server.key)
})

it('rejects a key that was revoked after it was read', async () => {
  const { key } = await setup()
  await revokeKey(store.durable, key.id, 1)

  await expect(changeKey({ store, clock }, key, { name: 'Back' })).rejects.toMatchObject({ code: 'conflict' })

  expect(await getKey(store.durable, key.id)).toEqual({ ...key, revokedAt: 1 })
})

it('returns exactly the fields that differ', async () => {
  const { key } = await setup()

  const { changes } = await changeKey({ store, clock }, key, {
    name: key.name,
    origins: ['https://a.example', 'https://b.example'],
    ipRanges: [],
    expiresInDays: 7,
  })

  expect(changes).toEqual([
    { field: 'ipRanges', from: '10.0.0.0/8, ::1/128', to: '' },
    { field: 'origins', from: '', to: 'https://a.example, https://b.example' },
    { field: 'expiresAt', from: 'never', to: new Date(clock.at + 7 * 86_400_000).toISOString() },
  ])
})

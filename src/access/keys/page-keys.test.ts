import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createIdSource } from '../../base/ids.ts'
import { getKey, listKeys, revokeKey } from '../../store/accounts/keys.ts'
import { seedSite } from '../../../test/store/store-samples.ts'
import { openStore } from '../../store/open-store.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import { authenticate } from './authenticate.ts'
import { changeKey } from './change-key.ts'
import { KeyDirectory } from './key-directory.ts'
import { PageKeys } from './page-keys.ts'

const clock = { at: Date.UTC(2026, 10, 21, 12), now: () => clock.at }
const baseUrl = 'https://docent.example.com'

let store: Store
let folder: string
let site: Site
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-page-keys-'))
  store = await openStore({ folder })
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  await store.durable.deleteFrom('organizations').execute()
  site = await seedSite(store)
})

function openPageKeys(secretKey = 'one') {
  const signingKey = createHash('sha256').update(secretKey).digest()
  return new PageKeys({ store, clock, ids: createIdSource(clock), randomBytes, signingKey })
}

async function listPageKeys() {
  const { items } = await listKeys(store.durable, { siteId: site.id, limit: 100, cursor: null })
  return items
}

function authenticateFrom(secret: string | null, headers: { origin?: string; host?: string }) {
  const { origin, host } = headers
  const credentials = { authorization: `Bearer ${secret}`, address: '203.0.113.7', origin, host }
  return authenticate({ keys: new KeyDirectory(store, clock), clock, baseUrl }, 'assistant', credentials)
}

it('makes one key for a site, the same in every process', async () => {
  const secrets = await Promise.all([openPageKeys(), openPageKeys(), openPageKeys()].map((keys) => keys.find(site)))

  expect(secrets[0]).toMatch(/^svc_dsc_[\w-]{43}$/)
  expect(new Set(secrets).size).toBe(1)
  expect(await listPageKeys()).toMatchObject([{ purpose: 'pages', session: 'pressure', groups: [], revokedAt: null }])
})

it('is usable from pages of the service and from the origins of the key, and from nowhere else', async () => {
  const secret = await openPageKeys().find(site)
  const refused = { code: 'origin_not_allowed' }
  const from = (headers: { origin?: string; host?: string }) => authenticateFrom(secret, headers)

  await expect(from({ origin: baseUrl })).resolves.toMatchObject({ siteId: site.id })
  await expect(from({ origin: 'http://10.0.0.2:4000', host: '10.0.0.2:4000' })).resolves.toBeDefined()
  await expect(from({ origin: 'https://evil.example', host: 'docent.example.com' })).rejects.toMatchObject(refused)
  await expect(from({ origin: 'null', host: 'docent.example.com' })).rejects.toMatchObject(refused)
  await expect(from({ host: 'docent.example.com' })).rejects.toMatchObject(refused)
  const key = await from({ origin: baseUrl })
  await changeKey({ store, clock }, key, { origins: ['https://docs.example.com'] })
  await expect(from({ origin: 'https://docs.example.com' })).resolves.toBeDefined()
  await expect(from({ origin: baseUrl })).resolves.toBeDefined()
})

it('stays away once an owner has revoked it, until an owner creates another one', async () => {
  const keys = openPageKeys()
  await keys.find(site)
  const [first] = await listPageKeys()
  const input = { kind: 'assistant', purpose: 'pages', name: 'Pages', siteId: site.id } as const
  const { organizationId = '', id = '' } = first ?? {}
  await expect(keys.create({ ...input, organizationId })).rejects.toMatchObject({ code: 'conflict' })

  await revokeKey(store.durable, id, clock.at)

  clock.at += 3_000
  expect(await keys.find(site)).toBeNull()
  const created = await keys.create({ ...input, organizationId })
  clock.at += 3_000
  expect(await keys.find(site)).toBe(created.secret)
})

it('works after the secret key of the installation has changed', async () => {
  const before = await openPageKeys().find(site)

  const after = await openPageKeys('other').find(site)

  expect(after).not.toBe(before)
  expect(await listPageKeys()).toMatchObject([{ hint: after?.slice(-4) }])
  await expect(authenticateFrom(after, { origin: baseUrl })).resolves.toBeDefined()
  await expect(authenticateFrom(before, { origin: baseUrl })).rejects.toMatchObject({ code: 'key_invalid' })
})

it('never gets groups, and never becomes another key or another key it', async () => {
  const { id } = await openPageKeys()
    .find(site)
    .then((secret) => authenticateFrom(secret, { origin: baseUrl }))
  const key = await getKey(store.durable, id)
  if (key === null) throw new Error('The key is gone.')
  const invalid = { code: 'invalid_request' }

  await expect(changeKey({ store, clock }, key, { groups: ['staff'] })).rejects.toMatchObject(invalid)
  await expect(changeKey({ store, clock }, key, { purpose: 'server' })).rejects.toMatchObject(invalid)
  const server = { ...key, purpose: 'server' as const }
  await expect(changeKey({ store, clock }, server, { purpose: 'pages' })).rejects.toMatchObject(invalid)
})

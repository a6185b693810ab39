import { beforeEach, expect, it } from 'vitest'
import {
  type CodeHostApp,
  deleteCodeHostApp,
  findCodeHostApp,
  getCodeHostApp,
  insertCodeHostApp,
  listCodeHostApps,
  listCodeHostAppsByNumber,
} from '../../src/store/hosting/code-host-apps.ts'
import { insertOrganization } from '../../src/store/accounts/organizations.ts'
import { emptyStore, freshId, type StoreHarness } from './store-samples.ts'
import type { Store } from '../../src/store/store.ts'

export function declareCodeHostAppTests(harness: StoreHarness): void {
  let store: Store
  let organizationId: string

  beforeEach(async () => {
    store = harness.store()
    await emptyStore(store)
    organizationId = await addOrganization()
  })

  async function addOrganization(): Promise<string> {
    const id = freshId()
    await insertOrganization(store.durable, { id, name: 'Example', createdAt: 1_732_000_000_000 })
    return id
  }

  const sample = (change: Partial<CodeHostApp> = {}): CodeHostApp => ({
    id: `app_${freshId()}`,
    organizationId,
    kind: 'github',
    origin: 'https://github.com',
    appId: '4711',
    slug: 'docent-example',
    privateKeySealed: 'v1.sealed.key',
    webhookSecretSealed: null,
    hasVerifiedCommits: false,
    createdAt: 1_732_000_000_000,
    ...change,
  })

  it('stores one App per organization and host', async () => {
    const app = sample()
    const enterprise = sample({ origin: 'https://github.example.com', webhookSecretSealed: 'v1.sealed.secret' })

    expect(await insertCodeHostApp(store.durable, app)).toBe(true)
    expect(await insertCodeHostApp(store.durable, enterprise)).toBe(true)
    expect(await insertCodeHostApp(store.durable, sample({ appId: '12' }))).toBe(false)

    expect(await getCodeHostApp(store.durable, app.id)).toEqual(app)
    expect(await findCodeHostApp(store.durable, enterprise)).toEqual(enterprise)
    expect(await findCodeHostApp(store.durable, { ...app, origin: 'https://elsewhere.example' })).toBeNull()
  })

  it('finds the Apps of all organizations by their id on the host, and lists those of one organization', async () => {
    const own = sample()
    const other = sample({ organizationId: await addOrganization() })
    for (const app of [own, other]) await insertCodeHostApp(store.durable, app)

    const found = await listCodeHostAppsByNumber(store.durable, { kind: 'github', appId: '4711' })
    const listed = await listCodeHostApps(store.durable, { organizationId, limit: 10 })

    expect(found.map(({ id }) => id).sort()).toEqual([own.id, other.id].sort())
    expect(listed).toEqual({ items: [own], nextCursor: null })
  })

  it('deletes an App alone, and with its organization', async () => {
    const app = sample()
    await insertCodeHostApp(store.durable, app)

    expect(await deleteCodeHostApp(store.durable, app.id)).toBe(true)
    expect(await deleteCodeHostApp(store.durable, app.id)).toBe(false)
    const again = sample()
    await insertCodeHostApp(store.durable, again)
    await store.durable.deleteFrom('organizations').where('id', '=', organizationId).execute()

    expect(await getCodeHostApp(store.durable, again.id)).toBeNull()
  })
}

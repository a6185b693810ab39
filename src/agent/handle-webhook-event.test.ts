import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { WebhookEvent } from '../codehost/webhooks/webhook-event.ts'
import { insertContextRepository } from '../store/sites/context-repositories.ts'
import { openStore } from '../store/open-store.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import { insertProject } from '../store/accounts/projects.ts'
import { insertSite } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import type { WatchedPlaces } from './automations/trigger-watchers.ts'
import { handleWebhookEvent, type WebhookHandlerDeps } from './handle-webhook-event.ts'

let folder: string
let store: Store
let told: WatchedPlaces[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-webhook-'))
  store = await openStore({ folder })
  told = []
  await insertOrganization(store.durable, { id: 'org', name: 'O', createdAt: 1 })
  await insertProject(store.durable, { id: 'project', organizationId: 'org', name: 'P', createdAt: 1 })
  const place = { kind: 'gitea' as const, ref: null, subdirectory: '' }
  await insertSite(store.durable, {
    id: 'site',
    projectId: 'project',
    slug: 'docs',
    name: 'Docs',
    hostnames: [],
    baseUrl: null,
    source: { ...place, location: 'https://git.example.com/acme/docs' },
    settings: {},
    identitySecretSealed: null,
    sourceCredentialSealed: null,
    createdAt: 1,
  })
  await insertContextRepository(store.durable, {
    id: 'context',
    siteId: 'site',
    name: 'product',
    source: { ...place, location: 'https://git.example.com/acme/product' },
    credentialSealed: null,
    role: 'reference',
    createdAt: 1,
  })
})
afterEach(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

/** A push reported by the site's hook; needs only the database. */
async function push(path: string, isDefaultBranch: boolean, otherRefs: string[] = []) {
  const deps = { store, triggerAutomations: async (places) => void told.push(places) } as WebhookHandlerDeps
  const repository = { path, url: null }
  const event: WebhookEvent = { type: 'push', repository, ref: 'main', otherRefs, isDefaultBranch }
  const delivery = {
    id: 'whr_1',
    source: 'site:site',
    deliveryId: 'd-1',
    organizationId: 'org',
    siteId: 'site',
    event,
    state: 'queued' as const,
    outcome: null,
    attempt: 1,
    receivedAt: 1,
    finishedAt: null,
  }
  return handleWebhookEvent(deps, delivery, new AbortController().signal)
}

it('triggers automations for a push to a context repository of the site', async () => {
  const outcome = await push('acme/product', true)

  expect(outcome).toEqual({ state: 'done', outcome: 'Triggered automations for @product.' })
  expect(told).toEqual([{ siteIds: [], contextIds: ['context'] }])
})

it('triggers automations for a branch that was pushed along with others', async () => {
  const place = { kind: 'gitea' as const, ref: 'stable', subdirectory: '' }
  const source = { ...place, location: 'https://git.example.com/acme/stable' }
  const context = {
    siteId: 'site',
    name: 'stable',
    source,
    role: 'reference' as const,
    credentialSealed: null,
    createdAt: 1,
  }
  await insertContextRepository(store.durable, { id: 'stable', ...context })

  const beside = await push('acme/stable', true, ['stable'])
  const alone = await push('acme/stable', true)

  expect([beside.state, alone.state]).toEqual(['done', 'ignored'])
  expect(told).toEqual([{ siteIds: [], contextIds: ['stable'] }])
})

it('triggers nothing for another branch or another repository', async () => {
  const branch = await push('acme/product', false)
  const other = await push('acme/other', true)

  expect([branch.state, other.state]).toEqual(['ignored', 'ignored'])
  expect(told).toEqual([])
})

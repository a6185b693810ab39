import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startPostgres } from '../../test/support/start-postgres.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../test/support/webhook-receiver.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import { createIdSource } from '../base/ids.ts'
import { openStore } from '../store/open-store.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import type { Store } from '../store/store.ts'
import { deleteWebhookEndpoint, getWebhookEndpoint, type WebhookEndpoint } from '../store/webhooks/webhook-endpoints.ts'
import { listWebhookSends } from '../store/webhooks/webhook-sends.ts'
import { silentLog } from '../telemetry/log.ts'
import { createWebhookEndpoint, testWebhookEndpoint } from '../webhooks/manage-endpoints.ts'
import { WebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { WebhookSender } from './webhook-sender.ts'

const database = await startPostgres()
if ('unavailable' in database) process.stderr.write(`Skipped senders of several replicas: ${database.unavailable}\n`)

/** Longer than any lease. */
const leaseIsOverMs = 10 * 60_000
const { signal } = new AbortController()

describe.skipIf('unavailable' in database)('senders of two replicas', () => {
  /** The database's clock, which the replicas share. */
  let now = 1_732_000_000_000
  let folder: string
  let replicas: readonly [Store, Store]
  let receiver: WebhookReceiver
  let endpoint: WebhookEndpoint

  const clock = { now: () => now }
  const ids = createIdSource(clock)
  const secrets = new WebhookSecrets(Buffer.alloc(32, 7), (size) => Buffer.alloc(size, 1))

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'docent-senders-'))
    const open = () => openStore({ databaseUrl: 'url' in database ? database.url : '', folder })
    replicas = [await open(), await open()]
    await insertOrganization(replicas[0].durable, { id: 'default', name: 'Default', createdAt: now })
  })
  beforeEach(async () => {
    receiver = await startWebhookReceiver()
    const made = { organizationId: 'default', name: 'Chat', url: receiver.url, events: [] }
    endpoint = (await createWebhookEndpoint(managing(), made)).endpoint
  })
  afterEach(async () => {
    await deleteWebhookEndpoint(replicas[0].durable, endpoint.id)
    await receiver[Symbol.asyncDispose]()
  })
  afterAll(async () => {
    for (const store of replicas) await store.close()
    await rm(folder, { recursive: true })
    if ('stop' in database) await database.stop()
  })

  const managing = () => ({ store: replicas[0], clock, ids, webhookSecrets: secrets, allowsPrivateAddresses: true })
  const senderOf = (store: Store) => {
    const fetch = createGuardedFetch({ allowsPrivateAddresses: true })
    return new WebhookSender({ store, clock, log: silentLog, secrets, fetch, random: () => 0.5, timeoutMs: 60_000 })
  }
  const openSenders = () => [senderOf(replicas[0]), senderOf(replicas[1])] as const
  const queue = () => testWebhookEndpoint(managing(), endpoint)
  const listSends = async () =>
    (await listWebhookSends(replicas[1].durable, { endpointId: endpoint.id, limit: 100 })).items
  const claimOf = async (sender: WebhookSender) => {
    const claim = await sender.claim()
    if (claim === null) throw new Error('Something is due.')
    return claim
  }

  it('post each delivery once, whichever of them claims it', async () => {
    const count = 40
    for (let made = 0; made < count; made++) await queue()
    const senders = openSenders()

    for (const sender of senders) sender.start()
    const isDone = async () => expect((await listSends()).every(({ state }) => state === 'succeeded')).toBe(true)
    await vi.waitFor(isDone, { timeout: 50_000, interval: 50 })
    for (const sender of senders) await sender.stop()

    const posted = receiver.requests.map(({ headers }) => headers['webhook-id'])
    expect([posted.length, new Set(posted).size]).toEqual([count, count])
  })

  it('leave a delivery to its owner until the lease expires, and then try again', async () => {
    const [killed, other] = openSenders()
    await queue()
    await claimOf(killed)

    const early = await other.claim()
    now += leaseIsOverMs
    await other.send(await claimOf(other), signal)

    expect(early).toBeNull()
    expect(receiver.requests).toHaveLength(1)
    expect(await listSends()).toMatchObject([{ state: 'succeeded', tries: 1 }])
    expect(await killed.claim()).toBeNull()
  })

  it('post nothing after being suspended for longer than their lease', async () => {
    const [paused, other] = openSenders()
    await queue()
    const late = await claimOf(paused)
    now += leaseIsOverMs

    await paused.send(late, signal)
    const posted = receiver.requests.length
    await other.send(await claimOf(other), signal)

    expect(posted).toBe(0)
    expect(receiver.requests).toHaveLength(1)
    expect(await listSends()).toMatchObject([{ state: 'succeeded', tries: 1 }])
  })

  it('do not overwrite what another has recorded since, however late their own result arrives', async () => {
    const [slow, other] = openSenders()
    const held: ServerResponse[] = []
    receiver.answer = (response) => void held.push(response)
    await queue()
    const sending = slow.send(await claimOf(slow), signal)
    await vi.waitFor(() => expect(held).toHaveLength(1), { timeout: 50_000 })
    now += leaseIsOverMs
    receiver.answer = (response) => void response.writeHead(503).end()
    await other.send(await claimOf(other), signal)
    const noted = await listSends()

    const [response] = held
    response?.writeHead(410).end('late')
    if (response !== undefined) await once(response, 'close')
    await sending

    expect(noted).toMatchObject([{ state: 'queued', status: 503, tries: 1 }])
    expect(await listSends()).toEqual(noted)
    expect(await getWebhookEndpoint(replicas[0].durable, endpoint.id)).toMatchObject({ isEnabled: true })
  })
})

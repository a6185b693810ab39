import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '../../test/support/webhook-receiver.ts'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import { createIdSource } from '../base/ids.ts'
import { openStore } from '../store/open-store.ts'
import { insertOrganization } from '../store/accounts/organizations.ts'
import type { Store } from '../store/store.ts'
import { getWebhookEndpoint } from '../store/webhooks/webhook-endpoints.ts'
import { listWebhookSends } from '../store/webhooks/webhook-sends.ts'
import { silentLog } from '../telemetry/log.ts'
import {
  changeWebhookEndpoint,
  createWebhookEndpoint,
  retryWebhookSend,
  testWebhookEndpoint,
} from '../webhooks/manage-endpoints.ts'
import { WebhookSecrets } from '../webhooks/webhook-secrets.ts'
import { dayMs } from '../base/durations.ts'
import { WebhookSender } from './webhook-sender.ts'

const start = 1_732_000_000_000

let now: number
let folder: string
let store: Store
let receiver: WebhookReceiver
let fill = 0

const clock = { now: () => now }
const ids = createIdSource(clock)
const webhookSecrets = new WebhookSecrets(Buffer.alloc(32, 7), (size) => Buffer.alloc(size, ++fill))
const { signal } = new AbortController()

beforeEach(async () => {
  now = start
  folder = await mkdtemp(join(tmpdir(), 'docent-webhooks-'))
  store = await openStore({ folder })
  receiver = await startWebhookReceiver()
  await insertOrganization(store.durable, { id: 'default', name: 'Default', createdAt: now })
})
afterEach(async () => {
  await receiver[Symbol.asyncDispose]()
  await store.close()
  await rm(folder, { recursive: true })
})

const deps = () => ({ store, clock, ids, webhookSecrets, allowsPrivateAddresses: true })
const senderWith = ({ allowsPrivateAddresses = true, timeoutMs = 60_000 } = {}) => {
  const fetch = createGuardedFetch({ allowsPrivateAddresses })
  const random = () => 0.5
  return new WebhookSender({ store, clock, log: silentLog, secrets: webhookSecrets, fetch, random, timeoutMs })
}
const add = (url = receiver.url) =>
  createWebhookEndpoint(deps(), { organizationId: 'default', name: 'Chat', url, events: ['job.ended'] })
const test = async ({ id }: { id: string }) => {
  const endpoint = await getWebhookEndpoint(store.durable, id)
  if (endpoint === null) throw new Error('It was added.')
  return testWebhookEndpoint(deps(), endpoint)
}

/** Sends what is due now. @returns How many were sent. */
async function sendDue(sender = senderWith()): Promise<number> {
  for (let sent = 0; ; sent++) {
    const claim = await sender.claim()
    if (claim === null) return sent
    await sender.send(claim, signal)
  }
}

async function newest(endpointId: string) {
  const { items } = await listWebhookSends(store.durable, { endpointId, limit: 10 })
  const [send] = items
  if (send === undefined) throw new Error('Something was sent.')
  return send
}

it('sends a test event that the Standard Webhooks library verifies with the secret that was shown', async () => {
  const { endpoint, secret } = await add()
  await test(endpoint)

  expect(await sendDue()).toBe(1)

  const [request] = receiver.requests
  vi.useFakeTimers({ now, toFake: ['Date'] })
  try {
    const verified = new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>)
    expect(verified).toMatchObject({ type: 'test', data: { endpointId: endpoint.id } })
  } finally {
    vi.useRealTimers()
  }
  expect(await newest(endpoint.id)).toMatchObject({ state: 'succeeded', status: 204, tries: 1, failure: null })
})

it('tries eight times within a day, with growing delays, the same id and the time of the attempt, then gives up', async () => {
  const { endpoint } = await add()
  receiver.answer = (response) => void response.writeHead(500).end('x'.repeat(5_000))
  await test(endpoint)

  const waits: number[] = []
  for (let before = now; ; before = now) {
    expect(await sendDue()).toBe(1)
    const send = await newest(endpoint.id)
    if (send.state === 'failed') break
    now = (send.runAt ?? 0) - 1
    expect(await sendDue()).toBe(0)
    now = send.runAt ?? 0
    waits.push((now - before) / 1_000)
  }

  expect(waits).toEqual([15, 60, 240, 960, 3_840, 15_360, 61_440])
  expect(now - start).toBeLessThan(dayMs)
  expect(receiver.requests).toHaveLength(8)
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(8)
  expect(await newest(endpoint.id)).toMatchObject({
    status: 500,
    failure: 'The endpoint answered 500 instead of a status from 200 to 299.',
    reply: 'x'.repeat(500),
  })
})

it('resends a given-up delivery on request, as the same event', async () => {
  const { endpoint } = await add()
  receiver.answer = (response) => void response.writeHead(503).end()
  const { id } = await test(endpoint)
  for (let tries = 0; tries < 8; tries++) {
    await sendDue()
    now = (await newest(endpoint.id)).runAt ?? 0
  }
  receiver.answer = (response) => void response.writeHead(200).end('thanks')

  await retryWebhookSend(deps(), 'default', id)

  expect(await sendDue()).toBe(1)
  expect(await newest(endpoint.id)).toMatchObject({ state: 'succeeded', tries: 1, reply: 'thanks' })
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
})

it('switches off an endpoint that has failed for five days, and sends to it again once it is enabled', async () => {
  const { endpoint } = await add()
  receiver.answer = (response) => void response.writeHead(404).end()
  await test(endpoint)
  await sendDue()
  now += 5 * dayMs
  await sendDue()

  const off = await getWebhookEndpoint(store.durable, endpoint.id)
  expect(off).toMatchObject({ isEnabled: false, failingSince: start })
  expect(off?.disabledReason).toBe(
    'Switched off: no delivery has succeeded for five days. Last failure: The endpoint answered 404 instead of a status from 200 to 299. Fix that, then enable the endpoint.',
  )
  expect(await newest(endpoint.id)).toMatchObject({ state: 'failed' })
  await expect(test(endpoint)).rejects.toMatchObject({ code: 'conflict' })
  receiver.answer = (response) => void response.writeHead(204).end()
  const on = await changeWebhookEndpoint(deps(), off ?? endpoint, { enabled: true })
  expect(on).toMatchObject({ isEnabled: true, disabledReason: null, failingSince: null })
  await test(endpoint)
  expect(await sendDue()).toBe(1)
  expect(await newest(endpoint.id)).toMatchObject({ state: 'succeeded' })
})

it('switches off an endpoint immediately that answers 410', async () => {
  const { endpoint } = await add()
  receiver.answer = (response) => void response.writeHead(410).end()
  await test(endpoint)
  await sendDue()

  expect(await getWebhookEndpoint(store.durable, endpoint.id)).toMatchObject({
    isEnabled: false,
    disabledReason: 'Switched off: the endpoint answered 410 (Gone).',
  })
})

describe('a failed attempt', () => {
  it('by a redirect does not follow it', async () => {
    const { endpoint } = await add()
    receiver.answer = (response) => void response.writeHead(307, { location: receiver.url }).end()
    await test(endpoint)
    await sendDue()

    expect(receiver.requests).toHaveLength(1)
    expect((await newest(endpoint.id)).failure).toContain('redirects are not followed')
  })

  it('by timeout is aborted, even in the middle of the reply', async () => {
    const { endpoint } = await add()
    receiver.answer = (response) => void response.writeHead(200).write('half')
    await test(endpoint)
    await sendDue(senderWith({ timeoutMs: 50 }))

    expect(await newest(endpoint.id)).toMatchObject({
      state: 'queued',
      status: null,
      failure: 'The endpoint took longer than 0.05 seconds.',
    })
  })

  it('by a refused connection says so', async () => {
    const { endpoint } = await add('http://127.0.0.1:1/')
    await test(endpoint)
    await sendDue()

    expect((await newest(endpoint.id)).failure).toBe(
      'The endpoint could not be reached (ECONNREFUSED). Check its address, and that its server runs.',
    )
  })

  it.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:169.254.169.254]/',
    'http://localhost/',
    'http://10.0.0.1/',
  ])('because %s may not be reached says so, and nothing is sent', async (url) => {
    const { endpoint } = await add(url)
    await test(endpoint)
    await sendDue(senderWith({ allowsPrivateAddresses: false }))

    expect((await newest(endpoint.id)).failure).toContain('may not be reached from here')
  })
})

it('rejects a URL with a non-standard port, unless private addresses are allowed', async () => {
  const input = { organizationId: 'default', name: 'Chat', url: 'https://example.com:8443/', events: [] }

  await expect(createWebhookEndpoint({ ...deps(), allowsPrivateAddresses: false }, input)).rejects.toMatchObject({
    code: 'invalid_request',
  })
})

it('loses nothing that it was sending when it was killed', async () => {
  const { endpoint } = await add()
  await test(endpoint)
  expect(await senderWith().claim()).not.toBeNull()

  // The next process on the same database.
  const sender = senderWith()
  sender.start()
  try {
    await receiver.waitFor(() => true)
    await vi.waitFor(async () => expect((await newest(endpoint.id)).state).toBe('succeeded'), { timeout: 30_000 })
  } finally {
    await sender.stop()
  }
})

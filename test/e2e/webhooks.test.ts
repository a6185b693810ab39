import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { z } from 'zod'
import {
  receivedWebhookListSchema,
  webhookBodySchema,
  webhookEndpointCreatedSchema,
  webhookReceiptSchema,
} from '../../src/contract/webhooks.ts'
import { siteWebhookSchema } from '../../src/contract/source-check.ts'
import { finishJob, getJob, runJob } from '../support/agent-jobs.ts'
import { type ConnectedDocent, connectForge, startConnectedDocent } from '../support/connected-forge.ts'
import { type TestForge, testForges } from '../support/forge-kinds.ts'
import { asAdmin } from '../support/pull-requests.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

// Each test waits for git and for jobs, and a busy machine must not turn it red.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let docent: ConnectedDocent
let forge: TestForge
let receiver: WebhookReceiver
let webhook: { url: string; secret: string }
let endpoint: z.output<typeof webhookEndpointCreatedSchema>

beforeAll(async () => {
  // Nothing is polled, so that what happens was told.
  docent = await startConnectedDocent({ env: { DOCENT_POLL_MINUTES: '0' } })
  forge = await testForges.gitea()
  receiver = await startWebhookReceiver()
  await connectForge(docent, forge, 'guide')
  const shown = await docent.post('/admin/v1/sites/guide/webhook', {}, asAdmin)
  webhook = siteWebhookSchema.parse(await shown.json())
  const input = { name: 'Chat', url: receiver.url, events: ['job.ended', 'pull_request.merged', 'sync.failed'] }
  const made = await docent.post('/admin/v1/webhook-endpoints', input, asAdmin)
  endpoint = webhookEndpointCreatedSchema.parse(await made.json())
})
afterAll(async () => {
  await docent.remove()
  await forge.stop()
  await receiver[Symbol.asyncDispose]()
})

interface Delivery {
  event: string
  payload: object
  id?: string
  secret?: string
  /** What is sent in place of the payload, under the payload's signature. */
  body?: string | Uint8Array<ArrayBuffer>
  url?: string
}

function send({ event, payload, id = randomUUID(), secret = webhook.secret, body, url = webhook.url }: Delivery) {
  const text = JSON.stringify(payload)
  const signature = createHmac('sha256', secret).update(text).digest('hex')
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-gitea-event': event,
      'x-gitea-delivery': id,
      'x-gitea-signature': signature,
    },
    body: body ?? text,
  })
}

/** As senders do whose connection breaks: they know nothing, and send it again. */
async function sendUntilAnswered(delivery: Delivery): Promise<Response> {
  for (;;) {
    const reply = await send(delivery).catch(() => null)
    if (reply !== null) return reply
  }
}

const repository = () => ({ full_name: forge.path, html_url: forge.location, default_branch: 'main' })
const push = (ref = 'refs/heads/main') => ({ ref, after: 'f'.repeat(40), repository: repository() })
const comment = (number: number, id: number, login: string, body: string) => ({
  action: 'created',
  is_pull: true,
  issue: { number },
  comment: { id, body, user: { login } },
  repository: repository(),
})

async function listReceived() {
  const response = await docent.get('/admin/v1/sites/guide/webhook-deliveries?limit=200', asAdmin)
  return receivedWebhookListSchema.parse(await response.json()).items
}

/** What became of a delivery, once something has. */
async function outcomeOf(deliveryId: string): Promise<{ state: string; outcome: string | null }> {
  for (;;) {
    const found = (await listReceived()).find((each) => each.deliveryId === deliveryId)
    if (found !== undefined && found.state !== 'queued') return { state: found.state, outcome: found.outcome }
    await wait(25)
  }
}

async function changeMain(files: Record<string, string>): Promise<string> {
  const parent = forge.repository.tip('main') ?? ''
  const changed = new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)] as const))
  const commit = forge.repository.writeCommit({ parent, files: changed, message: 'A change' })
  forge.repository.setBranch('main', commit)
  return commit
}

const numberOf = (job: { prLink: string | null }) => Number(/\d+$/.exec(job.prLink ?? '')?.[0])

it('serves what was pushed as soon as it is told, and looks at nothing for another branch', async () => {
  const commit = await changeMain({ 'told.md': '# Told\n' })

  const other = await send({ event: 'push', payload: push('refs/heads/other'), id: 'push-other' })
  const main = await send({ event: 'push', payload: push(), id: 'push-main' })

  expect([other.status, main.status]).toEqual([202, 202])
  expect(webhookReceiptSchema.parse(await main.json()).state).toBe('queued')
  await docent.waitForRevision('guide', commit)
  expect(await outcomeOf('push-other')).toEqual({ state: 'ignored', outcome: 'No site is read from other.' })
  expect(await outcomeOf('push-main')).toEqual({ state: 'done', outcome: 'Syncs guide.' })
})

it('refuses a wrong signature and a site that is not there with the same words', async () => {
  const payload = push()
  const unknown = webhook.url.replace(/[^/]+$/, 'site_01JD0000000000000000000000')

  const replies = await Promise.all([
    send({ event: 'push', payload, secret: 'wrong' }),
    send({ event: 'push', payload, body: JSON.stringify({ ...payload, ref: 'refs/heads/x' }) }),
    send({ event: 'push', payload, body: new Uint8Array([0xff, 0xfe]) }),
    send({ event: 'push', payload, url: unknown }),
    send({ event: 'push', payload, url: webhook.url.replace('/gitea/', '/github/') }),
    fetch(webhook.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }),
  ])

  const bodies = await Promise.all(
    replies.map(async (reply) => ({ ...((await reply.json()) as object), requestId: '' })),
  )
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401])
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  expect(bodies[0]).toMatchObject({ code: 'webhook_refused' })
})

it('refuses what is too large, and what is no JSON, before it looks at the signature', async () => {
  const large = await send({ event: 'push', payload: { ...push(), filling: 'x'.repeat(5 * 1024 * 1024) } })
  const form = await fetch(webhook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'payload=%7B%7D',
  })

  expect([large.status, form.status]).toEqual([413, 415])
})

it('keeps each of a thousand deliveries that come at once, once, and works all of them off', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => `flood-${index}`)
  const sent = Array.from({ length: 5 }, () => ids).flat()
  const commit = await changeMain({ 'flood.md': '# Flood\n' })
  const readStates = () =>
    docent.service.store.durable
      .selectFrom('webhookDeliveries')
      .select(['deliveryId', 'state'])
      .where('deliveryId', 'like', 'flood-%')
      .execute()

  const replies = await Promise.all(sent.map((id) => sendUntilAnswered({ event: 'push', payload: push(), id })))

  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
  expect((await readStates()).map(({ deliveryId }) => deliveryId).toSorted()).toEqual(ids.toSorted())
  await docent.waitForRevision('guide', commit)
  while ((await readStates()).some(({ state }) => state === 'queued')) await wait(50)
  expect(new Set((await readStates()).map(({ state }) => state))).toEqual(new Set(['done']))
})

/** Without the comment on what the change means for readers, which comes when it is ready. */
function readAnswers(number: number): string[] {
  return forge.look(number).comments.filter((text) => !text.includes('docent:readers'))
}

describe('the pull request of a job', () => {
  it('goes on with what a comment of somebody with write access asks, once, and says what came of it', async () => {
    const job = await runJob(docent, 'Replace "Old" by "New" on every page.', { site: 'guide' })
    const number = numberOf(job)
    const text = '> @docent Delete the page page.md.\n\n@docent Replace "New" by "Newer" on every page.'
    const wanted = comment(number, 71, 'dora', text)

    await Promise.all(['c-1', 'c-2', 'c-3'].map((id) => send({ event: 'issue_comment', payload: wanted, id })))
    const outcomes = await Promise.all(['c-1', 'c-2', 'c-3'].map(outcomeOf))
    const followed = await finishJob(docent, job.id)
    const answer = await vi.waitFor(
      () => {
        const [only, ...more] = readAnswers(number)
        expect(more).toEqual([])
        expect(only).toContain('**Done:**')
        return only
      },
      { timeout: 120_000, interval: 50 },
    )

    expect(outcomes.map(({ state }) => state)).toEqual(['done', 'done', 'done'])
    expect(followed).toMatchObject({ status: 'completed', prLink: job.prLink, branch: job.branch })
    expect(answer).toContain('`page.md`')
    expect(answer).toContain(job.prLink)
    const events = await docent.service.store.durable
      .selectFrom('jobMessages')
      .select('text')
      .where('jobId', '=', job.id)
      .orderBy('number')
      .execute()
    expect(events.map((event) => event.text)).toEqual([
      'Replace "Old" by "New" on every page.',
      'Replace "New" by "Newer" on every page.',
    ])
  })

  it.each([
    ['c-reader', 'rita', '@docent Delete everything.', 'rita may not write to the repository.'],
    ['c-stranger', 'sten', '@docent Delete everything.', 'sten may not write to the repository.'],
    ['c-bot', 'helper[bot]', '@docent Delete everything.', 'The comment was written by a bot.'],
    ['c-own', 'dora', '<!-- docent:answer -->\n@docent again', 'The comment was written by the agent.'],
    ['c-quoted', 'dora', '> @docent Delete everything.', 'The comment does not address @docent.'],
    ['c-code', 'dora', 'Say `@docent` to it.', 'The comment does not address @docent.'],
    ['c-empty', 'dora', '@docent', 'The comment does not say what to do.'],
  ])('is left alone by %s', async (id, login, body, outcome) => {
    const { jobs } = (await (await docent.get('/v2/agent/default/jobs', asAdmin)).json()) as {
      jobs: { id: string; prLink: string }[]
    }
    const number = numberOf(jobs[0] ?? { prLink: null })
    const before = readAnswers(number)

    await send({ event: 'issue_comment', payload: comment(number, 900, login, body), id })

    expect(await outcomeOf(id)).toEqual({ state: 'ignored', outcome })
    expect(readAnswers(number)).toEqual(before)
    expect((await getJob(docent, jobs[0]?.id ?? '')).status).toBe('completed')
  })

  it('is known to be merged when the host tells, and others are told, signed by the rules of Standard Webhooks', async () => {
    const job = await runJob(docent, 'Replace "Told" by "Retold" on every page.', { site: 'guide' })
    const number = numberOf(job)
    await forge.merge(number)
    const payload = { action: 'closed', number, pull_request: { merged: true }, repository: repository() }

    await send({ event: 'pull_request', payload, id: 'merged-1' })
    await send({ event: 'pull_request', payload, id: 'merged-2' })
    await Promise.all(['merged-1', 'merged-2'].map(outcomeOf))

    expect((await getJob(docent, job.id)).pullRequest?.state).toBe('merged')
    await docent.waitForRevision('guide', forge.repository.tip('main'))
    const verifier = new Webhook(endpoint.secret)
    for (const type of ['job.ended', 'pull_request.merged']) {
      const { headers, body } = await receiver.waitFor((request) => {
        const told = webhookBodySchema.parse(JSON.parse(request.body))
        return told.type === type && 'jobId' in told.data && told.data.jobId === job.id
      })
      // The clock of the service was never put forward here, so that the time fits too.
      expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({ type })
    }
    const merges = receiver.requests.filter(({ body }) => body.includes('pull_request.merged'))
    expect(merges).toHaveLength(1)
  })
})

it('ignores what is about another repository, and says so', async () => {
  const payload = { ...push(), repository: { ...repository(), full_name: 'acme/other' } }

  await send({ event: 'push', payload, id: 'other-repository' })

  expect(await outcomeOf('other-repository')).toMatchObject({
    state: 'ignored',
    outcome: expect.stringContaining('The webhook belongs to acme/other, but the site guide is read from'),
  })
})

it('takes the webhooks of a GitHub App for every site on its host, by the secret of that App alone', async () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const secret = 'the-secret-of-the-app'
  const input = {
    kind: 'github',
    origin: forge.origin,
    appId: '4711',
    slug: 'docent',
    privateKey,
    webhookSecret: secret,
  }
  const made = await docent.post('/admin/v1/code-host-apps', input, asAdmin)
  expect(made.status).toBe(201)
  const post = (payload: object, key = secret, appId = '4711') => {
    const body = JSON.stringify(payload)
    return fetch(`${docent.url}/webhooks/github`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'push',
        'x-github-delivery': randomUUID(),
        'x-github-hook-installation-target-id': appId,
        'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
      },
      body,
    })
  }
  const commit = await changeMain({ 'app.md': '# By the App\n' })

  const refused = await Promise.all([post(push(), 'wrong'), post(push(), webhook.secret), post(push(), secret, '4712')])
  const taken = await post(push())

  expect(refused.map(({ status }) => status)).toEqual([401, 401, 401])
  expect(taken.status).toBe(202)
  await docent.waitForRevision('guide', commit)
})

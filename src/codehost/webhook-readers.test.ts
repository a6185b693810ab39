import { createHmac, hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { sign, verify } from '@octokit/webhooks-methods'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { webhookKinds } from '../../test/support/forge-kinds.ts'
import { type ForgeKind, forgeKinds } from '../contract/code-hosts.ts'
import { forgeAdapters } from './forge-adapters.ts'
import { giteaWebhook } from './gitea/gitea-webhook.ts'
import { githubWebhook } from './github/github-webhook.ts'
import { gitlabWebhook } from './gitlab/gitlab-webhook.ts'
import type { WebhookEvent, WebhookReader } from './webhooks/webhook-event.ts'
import { giteaSamples, gitlabSamples } from '../../test/support/webhook-samples.ts'

// A module whose types do not match its shape: GitHub's payloads, by event name.
const require = createRequire(import.meta.url)
const examples = require('@octokit/webhooks-examples') as {
  name: string
  examples: Record<string, unknown>[]
}[]

const now = 1_732_000_000_000
// A secret in the form created for a site: base64url of 32 bytes.
const secret = createHmac('sha256', Buffer.alloc(32)).update('site_1').digest('base64url')
const toBytes = (payload: unknown) => Buffer.from(JSON.stringify(payload))
const hex = (body: Uint8Array, key = secret) => createHmac('sha256', key).update(body).digest('hex')

type Signer = (body: Uint8Array, key?: string, event?: string) => Readonly<Record<string, string>>

const signerOf =
  (kind: ForgeKind): Signer =>
  (body, key = secret, event = '') =>
    webhookKinds[kind].sign({ body, secret: key, event, deliveryId: 'msg_1', at: now })

const hosts: Readonly<Record<string, { sign: Signer; reader: WebhookReader }>> = {
  ...Object.fromEntries(
    forgeKinds.map((kind) => [kind, { sign: signerOf(kind), reader: forgeAdapters[kind].webhook }]),
  ),
  forgejo: {
    sign: (body, key, event = '') => ({ 'x-forgejo-signature': hex(body, key), 'x-forgejo-event': event }),
    reader: giteaWebhook,
  },
}
const events = [...new Set(forgeKinds.flatMap((kind) => webhookKinds[kind].samples.map(({ event }) => event)))]

const isSigned = (reader: WebhookReader, headers: Record<string, string>, body: Uint8Array, at = now) =>
  reader.isSigned({ headers: new Headers(headers), body }, secret, at)

describe.each(Object.entries(hosts))('a signature of %s', (_, { sign: signHost, reader }) => {
  it('matches the signed bytes, valid UTF-8 or not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
        expect(isSigned(reader, signHost(body), body)).toBe(true)
      }),
    )
  })

  it('matches no other bytes, no other secret and no part of the signature', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), (body, place) => {
        const headers = signHost(body)
        const changed = Uint8Array.from(body, (byte, index) => (index === place % body.length ? byte ^ 1 : byte))
        const cut = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            name.includes('signature') ? value.slice(0, place % value.length) : value,
          ]),
        )
        expect(isSigned(reader, headers, changed)).toBe(false)
        expect(isSigned(reader, signHost(body, 'c2VjcmV0'), body)).toBe(false)
        expect(isSigned(reader, cut, body)).toBe(false)
      }),
    )
  })

  it('that is malformed is rejected and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '0', 'f', '=', ',', ' ', 'é', 'v1,', 'sha256=') }), (text) => {
        const names = Object.keys(signHost(Buffer.from('')))
        const headers = new Headers(names.map((name) => [name, text.replaceAll(/[^\x20-\x7e]/g, 'ÿ')]))
        const body = Buffer.from('{}')
        expect(reader.isSigned({ headers, body }, secret, now)).toBe(false)
      }),
    )
  })

  it('that is missing is reported before the body is read', () => {
    expect(reader.carriesSignature(new Headers())).toBe(false)
    expect(reader.carriesSignature(new Headers(signHost(Buffer.from('{}'))))).toBe(true)
  })
})

it('agrees with the signatures of GitHub’s own library', async () => {
  const payload = '{"text":"Grüße 🦉"}'

  expect(await verify(secret, payload, hosts['github']?.sign(Buffer.from(payload))['x-hub-signature-256'] ?? '')).toBe(
    true,
  )
  expect(isSigned(githubWebhook, { 'x-hub-signature-256': await sign(secret, payload) }, Buffer.from(payload))).toBe(
    true,
  )
})

describe('a signing token of GitLab', () => {
  const body = Buffer.from('{"object_kind":"push"}')
  const signer = new Webhook(`whsec_${Buffer.from(secret, 'base64url').toString('base64')}`)
  const headersAt = (ms: number) => ({
    'webhook-id': 'msg_2',
    'webhook-timestamp': String(Math.floor(ms / 1_000)),
    'webhook-signature': signer.sign('msg_2', new Date(ms), body.toString()),
  })

  it('follows Standard Webhooks, as written by their own library', () => {
    expect(isSigned(gitlabWebhook, headersAt(now), body)).toBe(true)
  })

  it('is refused when it is older or newer than five minutes', () => {
    const minute = 60_000
    const ages = [-6, -5, 0, 5, 6].map((minutes) => isSigned(gitlabWebhook, headersAt(now + minutes * minute), body))

    expect(ages).toEqual([false, true, true, true, false])
  })

  it('may be one of several during rotation', () => {
    const headers = headersAt(now)
    const signature = `v1,${'A'.repeat(43)}= v1a,xyz ${headers['webhook-signature']}`

    expect(isSigned(gitlabWebhook, { ...headers, 'webhook-signature': signature }, body)).toBe(true)
  })

  it('takes precedence over a plain token', () => {
    const stale = { ...headersAt(now - 3_600_000), 'x-gitlab-token': secret }

    expect(isSigned(gitlabWebhook, stale, body)).toBe(false)
    expect(isSigned(gitlabWebhook, { 'x-gitlab-token': secret }, body)).toBe(true)
    expect(isSigned(gitlabWebhook, { 'x-gitlab-token': `${secret}x` }, body)).toBe(false)
  })
})

const read = (reader: WebhookReader, headers: Record<string, string>, payload: unknown): WebhookEvent =>
  reader.readDelivery({ headers: new Headers(headers), body: toBytes(payload) }).event

describe('the payloads that GitHub documents', () => {
  const listed = examples.flatMap(({ name, examples: payloads }) =>
    payloads.map((payload, index) => ({ name, index, payload })),
  )
  const readExample = (name: string, isWanted: (payload: Record<string, unknown>) => boolean) => {
    const found = listed.find((each) => each.name === name && isWanted(each.payload))
    return read(githubWebhook, { 'x-github-event': name }, found?.payload)
  }
  const action = (wanted: string) => (payload: Record<string, unknown>) => payload.action === wanted

  it('are all read, and none has an unexpected shape', () => {
    const odd = listed
      .map(({ name, index, payload }) => ({
        name,
        index,
        event: read(githubWebhook, { 'x-github-event': name }, payload),
      }))
      .filter(({ event }) => event.type === 'ignored' && event.reason.includes('another shape'))

    expect(listed.length).toBeGreaterThan(200)
    expect(odd).toEqual([])
  })

  it('become our own events', () => {
    const path = 'Codertocat/Hello-World'
    expect(readExample('push', ({ deleted }) => deleted === true)).toMatchObject({ type: 'ignored' })
    expect(
      readExample('push', ({ deleted, ref }) => deleted === false && String(ref).startsWith('refs/heads/')),
    ).toMatchObject({
      type: 'push',
      ref: expect.any(String),
    })
    expect(readExample('pull_request', action('closed'))).toMatchObject({ type: 'pull-request-changed', number: 2 })
    expect(readExample('pull_request_review_comment', action('created'))).toMatchObject({
      type: 'comment-added',
      repository: { path },
      number: 2,
      author: 'Codertocat',
      isBot: false,
      path: 'README.md',
      commentId: 'review-comment:284312630',
    })
    expect(readExample('issue_comment', action('created'))).toEqual({
      type: 'ignored',
      reason: 'The comment is not on a pull request.',
    })
    expect(readExample('issue_comment', action('edited'))).toEqual({
      type: 'ignored',
      reason: 'Only new comments are read.',
    })
    expect(readExample('repository', action('renamed'))).toMatchObject({ type: 'repository-renamed' })
    expect(readExample('ping', () => true)).toMatchObject({ type: 'ignored' })
  })

  it('show which comments programs wrote', () => {
    const base = {
      action: 'created',
      repository: { full_name: 'acme/docs' },
      issue: { number: 3, pull_request: {} },
    }
    const wrote = (user: object, more: object = {}) =>
      read(
        githubWebhook,
        { 'x-github-event': 'issue_comment' },
        { ...base, comment: { id: 9, body: 'x', user, performed_via_github_app: null, ...more } },
      )

    expect(wrote({ login: 'ada', type: 'User' })).toMatchObject({ isBot: false, commentId: 'comment:9' })
    expect(wrote({ login: 'docent', type: 'Bot' })).toMatchObject({ isBot: true })
    expect(wrote({ login: 'docent[bot]', type: 'User' })).toMatchObject({ isBot: true })
    expect(wrote({ login: 'ada', type: 'User' }, { performed_via_github_app: { id: 1 } })).toMatchObject({
      isBot: true,
    })
  })
})

describe('the payloads that GitLab documents', () => {
  it.each(gitlabSamples)('$name', ({ payload, event }) => {
    expect(read(gitlabWebhook, {}, payload)).toEqual(event)
  })
})

describe('the payloads that Gitea and Forgejo document', () => {
  it.each(giteaSamples)('$name', ({ header, payload, event }) => {
    const expected = { ...event }
    if ('commentId' in expected && expected.commentId === 'review:') {
      expected.commentId = `review:${hash('sha256', toBytes(payload))}`
    }
    expect(read(giteaWebhook, { 'x-gitea-event': header }, payload)).toEqual(expected)
    expect(read(giteaWebhook, { 'x-forgejo-event': header }, payload)).toEqual(expected)
  })
})

describe('a delivery', () => {
  const body = toBytes({ object_kind: 'push' })
  const idOf = (reader: WebhookReader, headers: Record<string, string>) =>
    reader.readDelivery({ headers: new Headers(headers), body }).deliveryId

  it('is named by its sender', () => {
    expect(idOf(githubWebhook, { 'x-github-delivery': 'd-1' })).toBe('d-1')
    expect(idOf(giteaWebhook, { 'x-gitea-delivery': 'd-2' })).toBe('d-2')
    expect(idOf(giteaWebhook, { 'x-forgejo-delivery': 'd-3' })).toBe('d-3')
    expect(idOf(gitlabWebhook, { 'idempotency-key': 'd-4' })).toBe('d-4')
    expect(idOf(gitlabWebhook, { 'webhook-id': 'd-5', 'idempotency-key': 'd-4' })).toBe('d-5')
  })

  it('is named after its content if the sender gives no usable name', () => {
    expect(idOf(githubWebhook, {})).toBe(hash('sha256', body))
    expect(idOf(githubWebhook, { 'x-github-delivery': 'x'.repeat(201) })).toBe(hash('sha256', body))
    expect(idOf(gitlabWebhook, { 'x-gitlab-event-uuid': 'u-1' })).not.toBe(
      idOf(gitlabWebhook, { 'x-gitlab-event-uuid': 'u-2' }),
    )
  })

  it.each(Object.entries(hosts))('of %s that is not JSON in UTF-8 is refused with an explanation', (_, { reader }) => {
    for (const bytes of [Buffer.from('{'), Buffer.from([0x22, 0xff, 0x22]), Buffer.from('')]) {
      expect(() => reader.readDelivery({ headers: new Headers(), body: bytes })).toThrow('not JSON in UTF-8')
    }
  })

  it.each(Object.entries(hosts))('of %s with any JSON in it becomes an event', (_, { sign: signHost, reader }) => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...events), (payload, event) => {
        const headers = signHost(toBytes(payload), secret, event)
        expect(read(reader, headers, payload).type).toBe('ignored')
      }),
    )
  })
})

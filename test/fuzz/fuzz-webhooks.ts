import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { giteaSamples, gitlabSamples } from '../../src/codehost/webhooks/webhook-samples.ts'
import { signStandardWebhook } from '../../src/codehost/webhooks/webhook-signature.ts'
import { exchange, judgeReply } from './exchange.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import type { FuzzedService } from './fuzzed-service.ts'
import { hostileText, mutate, mutation } from './hostile-values.ts'

// A module without types that fit its form: the payloads of GitHub, by the names of their events.
const require = createRequire(import.meta.url)
const githubExamples = require('@octokit/webhooks-examples') as { name: string; examples: object[] }[]
const readEvents = /^(?:push|pull_request|issue_comment|pull_request_review|pull_request_review_comment|repository)$/
const githubPayloads = githubExamples
  .filter(({ name }) => readEvents.test(name))
  .flatMap(({ name, examples }) => examples.slice(0, 4).map((payload) => ({ event: name, payload })))

type Kind = 'github' | 'gitlab' | 'gitea'

interface SentWebhook {
  kind: Kind
  event: string
  body: string
  /** Signed as it is sent, or only before its last change. */
  isSigned: boolean
  deliveryId: string
}

const samples: readonly { kind: Kind; event: string; payload: object }[] = [
  ...githubPayloads.map((sample) => ({ kind: 'github' as const, ...sample })),
  ...gitlabSamples.map(({ payload }) => ({ kind: 'gitlab' as const, event: 'Hook', payload })),
  ...giteaSamples.map(({ header, payload }) => ({ kind: 'gitea' as const, event: header, payload })),
]

const sentWebhook: fc.Arbitrary<SentWebhook> = fc
  .record({
    sample: fc.constantFrom(...samples),
    changes: fc.array(mutation, { maxLength: 3 }),
    cut: fc.option(fc.nat(2_000), { nil: null, freq: 8 }),
    event: fc.option(hostileText, { nil: null, freq: 8 }),
    isSigned: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
    deliveryId: fc.oneof(fc.uuid(), hostileText),
  })
  .map(({ sample: { kind, event, payload }, changes, cut, event: other, isSigned, deliveryId }) => {
    const json = JSON.stringify(changes.reduce<unknown>(mutate, payload)) ?? ''
    return { kind, event: other ?? event, body: cut === null ? json : json.slice(0, cut), isSigned, deliveryId }
  })

/** Webhooks of each kind, most of them signed with the right secret, as a host would that was taken over. */
export function fuzzWebhooks(service: FuzzedService): FuzzTarget {
  return makeTarget({
    name: 'webhooks',
    share: 0.07,
    arbitrary: sentWebhook,
    async check(webhook) {
      const path = `/webhooks/${webhook.kind}/${service.siteId}`
      const body = Buffer.from(webhook.body)
      const headers = { 'content-type': 'application/json', ...sign(service.webhookSecret, webhook, body) }
      const reply = await exchange(service.url, { method: 'POST', path, headers, body })
      judgeReply({ method: 'POST', path }, reply)
      const isTaken = reply.status === 202
      if (isTaken && !webhook.isSigned) throw new Error('What is not signed was taken.')
    },
  })
}

function sign(secret: string, { kind, event, isSigned, deliveryId }: SentWebhook, body: Buffer) {
  const signed = isSigned ? body : Buffer.concat([body, Buffer.from(' ')])
  const hex = createHmac('sha256', secret).update(signed).digest('hex')
  const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 2_000)
  const id = inHeader(deliveryId) || 'none'
  if (kind === 'github') {
    return { 'x-hub-signature-256': `sha256=${hex}`, 'x-github-event': inHeader(event), 'x-github-delivery': id }
  }
  if (kind === 'gitea') {
    return { 'x-gitea-signature': hex, 'x-gitea-event': inHeader(event), 'x-gitea-delivery': id }
  }
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const key = Buffer.from(secret, 'base64url')
  const signature = signStandardWebhook({ id, timestamp, body: signed, key })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}

import fc from 'fast-check'
import { type ForgeKind, forgeKinds } from '../../src/contract/code-hosts.ts'
import { webhookKinds } from '../support/forge-kinds.ts'
import { exchange, judgeReply } from './exchange.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import type { FuzzedService } from './fuzzed-service.ts'
import { hostileText, mutate, mutation } from './hostile-values.ts'

interface SentWebhook {
  kind: ForgeKind
  event: string
  body: string
  /** Signed as it is sent, or only before its last change. */
  isSigned: boolean
  deliveryId: string
}

const samples = forgeKinds.flatMap((kind) => webhookKinds[kind].samples.map((sample) => ({ kind, ...sample })))

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
  const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '').slice(0, 2_000)
  const id = inHeader(deliveryId) || 'none'
  return webhookKinds[kind].sign({ body: signed, secret, event: inHeader(event), deliveryId: id, at: Date.now() })
}

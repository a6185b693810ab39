import { dayMs } from '../base/durations.ts'
import type { Store } from '../store/store.ts'
import {
  claimWebhookSend,
  recordWebhookAttempt,
  switchOffWebhookEndpoint,
  type WebhookSendClaim,
} from '../store/webhooks/webhook-sends.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { sendTimeoutMsDefault, sendWebhook, type SendWebhookDeps, type SentWebhook } from '../webhooks/send-webhook.ts'
import { ClaimLoops } from './claim-loops.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface WebhookSenderDeps extends SendWebhookDeps {
  store: Store
  log: Log
  /** In [0, 1): adds jitter to retries. */
  random(): number
  telemetry?: Telemetry
}

/** Longer than an attempt, plus the time that may pass between claim and attempt. */
const leaseMs = 90_000
const pollMs = 2_000
const sendsAtOnce = 4
/** Bounds how many senders a slow endpoint occupies. */
const sendsPerEndpointMax = 2

const triesMax = 8
const retryMsMin = 15_000
const failingMsMax = 5 * dayMs

/** Delivers events to the webhook endpoints that subscribe to them. */
export class WebhookSender extends ClaimLoops<WebhookSendClaim> {
  readonly #deps: WebhookSenderDeps
  /** Deliveries in flight, by endpoint. */
  readonly #underWay = new Map<string, number>()

  constructor(deps: WebhookSenderDeps) {
    super({
      ...deps,
      name: 'webhook-send',
      queue: 'webhookSends',
      count: sendsAtOnce,
      leaseMs,
      pollMs,
      claim: () => this.claim(),
      work: (send, { stop }) => this.send(send, stop),
      fieldsOf: ({ id, endpointId }) => ({ sendId: id, endpointId }),
    })
    this.#deps = deps
  }

  /** Claims the next delivery that is due. */
  claim(): Promise<WebhookSendClaim | null> {
    const now = this.#deps.clock.now()
    const busy = [...this.#underWay].filter(([, count]) => count >= sendsPerEndpointMax).map(([id]) => id)
    return claimWebhookSend(this.#deps.store.durable, { now, leaseUntil: now + leaseMs, exceptEndpoints: busy })
  }

  /** Makes one attempt and records its outcome. */
  async send(send: WebhookSendClaim, stop: AbortSignal): Promise<WorkOutcome> {
    const { endpointId } = send
    if (this.#isTooLate(send)) return 'lost'
    this.#underWay.set(endpointId, (this.#underWay.get(endpointId) ?? 0) + 1)
    try {
      const sent = await sendWebhook(this.#deps, send, stop)
      // An attempt cut off by shutdown is not held against the endpoint: it is repeated.
      if (stop.aborted && sent.failure !== null) return 'handed-back'
      await this.#record(send, sent)
      return sent.failure === null ? 'done' : 'failed'
    } finally {
      const left = (this.#underWay.get(endpointId) ?? 1) - 1
      if (left > 0) this.#underWay.set(endpointId, left)
      else this.#underWay.delete(endpointId)
    }
  }

  /**
   * A process that was suspended after its claim may resume when another already sends the same delivery. Skip an
   * attempt that could outlast the lease.
   */
  #isTooLate({ leaseUntil }: WebhookSendClaim): boolean {
    const { clock, timeoutMs = sendTimeoutMsDefault } = this.#deps
    return clock.now() + timeoutMs > leaseUntil
  }

  async #record(send: WebhookSendClaim, sent: SentWebhook): Promise<void> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    const retryAt = sent.failure === null ? null : this.#chooseRetry(send, now)
    const recorded = await recordWebhookAttempt(store.durable, send, { ...sent, retryAt, now })
    const { id, endpointId, eventId } = send
    log.info({ id, endpointId, eventId, status: sent.status, failure: sent.failure }, 'webhook-sent')
    const outcome = sent.failure === null ? 'done' : retryAt === null ? 'failed' : 'retried'
    this.#deps.telemetry?.metrics.add('docent_webhooks_total', { direction: 'out', outcome })
    if (recorded === 'lost' || sent.failure === null) return
    const reason = describeSwitchOff(sent, recorded.failingSince, now)
    if (reason === null) return
    await switchOffWebhookEndpoint(store.durable, { id: endpointId, reason })
    log.warn({ endpointId, reason }, 'webhook-endpoint-switched-off')
  }

  /** After 15 s, then four times as long each, up to 17 hours: about a day in total, with 10% jitter. */
  #chooseRetry({ tries }: WebhookSendClaim, now: number): number | null {
    if (tries + 1 >= triesMax) return null
    return now + Math.round(retryMsMin * 4 ** tries * (0.9 + this.#deps.random() / 5))
  }
}

function describeSwitchOff({ status, failure }: SentWebhook, failingSince: number | null, now: number): string | null {
  if (status === 410) return 'Switched off: the endpoint answered 410 (Gone).'
  if (failingSince === null || now - failingSince < failingMsMax) return null
  return `Switched off: no delivery has succeeded for five days. Last failure: ${failure} Fix that, then enable the endpoint.`
}

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
  /** In [0, 1): spreads repetitions. */
  random(): number
  telemetry?: Telemetry
}

/** Longer than a try takes, by the time that may pass between the claim and the try. */
const leaseMs = 90_000
const pollMs = 2_000
const sendsAtOnce = 4
/** An endpoint that is slow holds up itself alone. */
const sendsPerEndpointMax = 2

const triesMax = 8
const retryMsMin = 15_000
const failingMsMax = 5 * 24 * 60 * 60_000

/** Sends what happened to the endpoints that want to know. */
export class WebhookSender {
  readonly #deps: WebhookSenderDeps
  readonly #loops: ClaimLoops<WebhookSendClaim>
  /** Endpoints by how much is on its way to them. */
  readonly #underWay = new Map<string, number>()

  constructor(deps: WebhookSenderDeps) {
    this.#deps = deps
    this.#loops = new ClaimLoops({
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
  }

  start(): void {
    this.#loops.start()
  }

  wake(): void {
    this.#loops.wake()
  }

  stop(): Promise<void> {
    return this.#loops.stop()
  }

  /** Claims the next delivery that is due. */
  claim(): Promise<WebhookSendClaim | null> {
    const now = this.#deps.clock.now()
    const busy = [...this.#underWay].filter(([, count]) => count >= sendsPerEndpointMax).map(([id]) => id)
    return claimWebhookSend(this.#deps.store.durable, { now, leaseUntil: now + leaseMs, exceptEndpoints: busy })
  }

  /** One try, and what follows from it. */
  async send(send: WebhookSendClaim, stop: AbortSignal): Promise<WorkOutcome> {
    const { endpointId } = send
    if (this.#isTooLate(send)) return 'lost'
    this.#underWay.set(endpointId, (this.#underWay.get(endpointId) ?? 0) + 1)
    try {
      const sent = await sendWebhook(this.#deps, send, stop)
      // What was cut off by the end of the process is not held against the endpoint: it is sent again.
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
   * A process that stood still after its claim may go on when somebody else sends the same: what could outlast the lease
   * is left to that one.
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

  /** After 15 s, then four times as long each, up to 17 hours: for a day in all. A tenth more or less spreads them. */
  #chooseRetry({ tries }: WebhookSendClaim, now: number): number | null {
    if (tries + 1 >= triesMax) return null
    return now + Math.round(retryMsMin * 4 ** tries * (0.9 + this.#deps.random() / 5))
  }
}

function describeSwitchOff({ status, failure }: SentWebhook, failingSince: number | null, now: number): string | null {
  if (status === 410) return 'Switched off: the endpoint answered 410, which says that it is gone for good.'
  if (failingSince === null || now - failingSince < failingMsMax) return null
  return `Switched off: no delivery has succeeded for five days. The last one: ${failure} Mend that, then enable the endpoint.`
}

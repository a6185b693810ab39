import { answerComment, type AnswerCommentDeps } from '../agent/comments/answer-comment.ts'
import { handleWebhookEvent, type WebhookHandlerDeps } from '../agent/handle-webhook-event.ts'
import { ForgeError } from '../codehost/forge/forge-error.ts'
import type { WebhookEvent } from '../codehost/webhooks/webhook-event.ts'
import { AppError } from '../contract/app-error.ts'
import { claimCommentAnswer, type CommentAnswer, updateCommentAnswer } from '../store/comment-answers.ts'
import {
  claimWebhookDelivery,
  finishWebhookDelivery,
  releaseWebhookDeliveries,
  retryWebhookDelivery,
  type WebhookDelivery,
} from '../store/webhook-deliveries.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops } from './claim-loops.ts'

export interface WebhookWorkerDeps extends WebhookHandlerDeps, Pick<AnswerCommentDeps, 'answerKey'> {
  log: Log
  telemetry?: Telemetry
}

/** Longer than any piece of the work may take. */
const leaseMs = 120_000
const workTimeoutMs = 90_000
const pollMs = 2_000

/** After a failure it is tried again after 5 s, 10 s, 20 s … up to 10 minutes: for an hour and a half in all. */
const retryMsMin = 5_000
const retryMsMax = 10 * 60_000
const triesMax = 15

/** Works off what hosts of repositories told, and answers the comments that asked for something. */
export class WebhookWorker {
  readonly #deps: WebhookWorkerDeps
  readonly #deliveries: ClaimLoops<WebhookDelivery<WebhookEvent>>
  readonly #answers: ClaimLoops<CommentAnswer>

  constructor(deps: WebhookWorkerDeps) {
    this.#deps = deps
    const { log, store } = deps
    const claim = () => ({ now: deps.clock.now(), leaseUntil: deps.clock.now() + leaseMs })
    this.#deliveries = new ClaimLoops({
      log,
      name: 'webhook',
      count: 2,
      pollMs,
      claim: () => claimWebhookDelivery<WebhookEvent>(store.durable, claim()),
      work: (delivery, signal) => this.#handle(delivery, signal),
      measured: { ...deps, fieldsOf: ({ id }) => ({ deliveryId: id }) },
    })
    this.#answers = new ClaimLoops({
      log,
      name: 'comment-answer',
      count: 1,
      pollMs,
      claim: () => claimCommentAnswer(store.durable, claim()),
      work: (answer, signal) => this.#answer(answer, signal),
      measured: { ...deps, fieldsOf: ({ jobId }) => ({ jobId }) },
    })
  }

  start(): void {
    this.#deliveries.start(this.#takeOver())
    this.#answers.start()
  }

  /** There is something to do. */
  wake(): void {
    this.#deliveries.wake()
    this.#answers.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#deliveries.stop(), this.#answers.stop()])
  }

  /** The embedded database has one process, so that what is claimed there was left by one that was killed. */
  async #takeOver(): Promise<void> {
    const { store, clock, log } = this.#deps
    if (store.dialect !== 'sqlite') return
    await releaseWebhookDeliveries(store.durable, clock.now()).catch((error: unknown) =>
      log.error({ error }, 'webhook-release-failed'),
    )
  }

  async #handle(delivery: WebhookDelivery<WebhookEvent>, stop: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps
    const { id, source, event } = delivery
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
      const end = await handleWebhookEvent(this.#deps, delivery, signal)
      await finishWebhookDelivery(store.durable, delivery, { ...end, now: clock.now() })
      log.info({ deliveryId: id, source, event: event.type, ...end }, 'webhook-handled')
      this.#count(end.state)
      this.#answers.wake()
    } catch (error) {
      if (stop.aborted) {
        await retryWebhookDelivery(store.durable, delivery, { outcome: 'The service stopped.', runAt: clock.now() })
        return
      }
      await this.#settle(delivery, error)
    }
  }

  async #settle(delivery: WebhookDelivery<WebhookEvent>, error: unknown): Promise<void> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    const outcome =
      error instanceof AppError ? error.message : 'Something went wrong on our side; the log of the server says more.'
    const waitMs = chooseWait(error, delivery.attempt)
    log.warn({ deliveryId: delivery.id, source: delivery.source, error, retriedInMs: waitMs }, 'webhook-failed')
    this.#count(waitMs === null ? 'failed' : 'retried')
    if (waitMs === null) await finishWebhookDelivery(store.durable, delivery, { state: 'failed', outcome, now })
    else await retryWebhookDelivery(store.durable, delivery, { outcome, runAt: now + waitMs })
  }

  #count(outcome: string): void {
    this.#deps.telemetry?.metrics.add('docent_webhooks_total', { direction: 'in', outcome })
  }

  async #answer(answer: CommentAnswer, stop: AbortSignal): Promise<void> {
    const { store, clock, log } = this.#deps
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
      const change = await answerComment(this.#deps, answer, signal)
      await updateCommentAnswer(store.durable, answer, change)
    } catch (error) {
      const waitMs = stop.aborted ? 0 : chooseWait(error, answer.attempt)
      const { jobId } = answer
      if (!stop.aborted) log.warn({ jobId, error, retriedInMs: waitMs }, 'comment-answer-failed')
      const runAt = clock.now() + (waitMs ?? 0)
      await updateCommentAnswer(store.durable, answer, waitMs === null ? { state: 'ended', runAt } : { runAt })
    }
  }
}

/** Null where trying again is of no use: the host refused, or it was tried often enough. */
function chooseWait(error: unknown, attempt: number): number | null {
  const isFinal = error instanceof AppError && error.code !== 'limit_reached' && !isPassing(error)
  if (isFinal || attempt >= triesMax) return null
  const asked = error instanceof ForgeError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(asked, Math.min(retryMsMax, retryMsMin * 2 ** (attempt - 1)))
}

function isPassing(error: AppError): boolean {
  return error instanceof ForgeError ? error.isPassing : error.code === 'database_unavailable'
}

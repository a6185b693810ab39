import { answerComment, type AnswerCommentDeps } from '../agent/comments/answer-comment.ts'
import { handleWebhookEvent, type WebhookHandlerDeps } from '../agent/handle-webhook-event.ts'
import type { WebhookEvent } from '../codehost/webhooks/webhook-event.ts'
import { claimCommentAnswer, type CommentAnswer, updateCommentAnswer } from '../store/agent/comment-answers.ts'
import { finishClaim, releaseClaim } from '../store/queue.ts'
import { claimWebhookDelivery, type WebhookDelivery } from '../store/webhooks/webhook-deliveries.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { ClaimLoops } from './claim-loops.ts'
import { chooseRetryWait, describeFailure, type RetryPolicy } from './retry-wait.ts'
import type { WorkOutcome } from './work-on-claim.ts'

export interface WebhookWorkerDeps extends WebhookHandlerDeps, Pick<AnswerCommentDeps, 'answerKey'> {
  log: Log
  telemetry?: Telemetry
}

/** Longer than any unit of work may take. */
const leaseMs = 120_000
const workTimeoutMs = 90_000
const pollMs = 2_000

/** Retries span an hour and a half in total. */
const retryPolicy: RetryPolicy = { waitMsMin: 5_000, waitMsMax: 10 * 60_000, attemptsMax: 15 }

/** Processes webhooks received from code hosts, and answers comments that ask for something. */
export class WebhookWorker {
  readonly #deps: WebhookWorkerDeps
  readonly #deliveries: ClaimLoops<WebhookDelivery<WebhookEvent>>
  readonly #answers: ClaimLoops<CommentAnswer>

  constructor(deps: WebhookWorkerDeps) {
    this.#deps = deps
    const shared = { ...deps, leaseMs, pollMs }
    this.#deliveries = new ClaimLoops({
      ...shared,
      name: 'webhook',
      queue: 'webhookDeliveries',
      count: 2,
      claim: (times) => claimWebhookDelivery<WebhookEvent>(deps.store.durable, times),
      work: (delivery, { stop }) => this.#handle(delivery, stop),
      fieldsOf: ({ id }) => ({ deliveryId: id }),
    })
    this.#answers = new ClaimLoops({
      ...shared,
      name: 'comment-answer',
      queue: 'commentAnswers',
      count: 1,
      claim: (times) => claimCommentAnswer(deps.store.durable, times),
      work: (answer, { stop }) => this.#answer(answer, stop),
      fieldsOf: ({ jobId }) => ({ jobId }),
    })
  }

  start(): void {
    this.#deliveries.start()
    this.#answers.start()
  }

  /** Work may have arrived. */
  wake(): void {
    this.#deliveries.wake()
    this.#answers.wake()
  }

  async stop(): Promise<void> {
    await Promise.all([this.#deliveries.stop(), this.#answers.stop()])
  }

  async #handle(delivery: WebhookDelivery<WebhookEvent>, stop: AbortSignal): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const { id, source, event } = delivery
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
      const end = await handleWebhookEvent(this.#deps, delivery, signal)
      await finishClaim(store.durable, 'webhookDeliveries', delivery, { ...end, finishedAt: clock.now() })
      log.info({ deliveryId: id, source, event: event.type, ...end }, 'webhook-handled')
      this.#count(end.state)
      this.#answers.wake()
      return 'done'
    } catch (error) {
      if (!stop.aborted) return this.#retry(delivery, error)
      await releaseClaim(store.durable, 'webhookDeliveries', delivery, clock.now(), { outcome: 'The service stopped.' })
      return 'handed-back'
    }
  }

  async #retry(delivery: WebhookDelivery<WebhookEvent>, error: unknown): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    const outcome = describeFailure(error)
    const waitMs = chooseRetryWait(error, delivery.attempt, retryPolicy)
    log.warn({ deliveryId: delivery.id, source: delivery.source, error, retriedInMs: waitMs }, 'webhook-failed')
    this.#count(waitMs === null ? 'failed' : 'retried')
    if (waitMs === null) {
      await finishClaim(store.durable, 'webhookDeliveries', delivery, { state: 'failed', outcome, finishedAt: now })
    } else await releaseClaim(store.durable, 'webhookDeliveries', delivery, now + waitMs, { outcome })
    return 'failed'
  }

  #count(outcome: string): void {
    this.#deps.telemetry?.metrics.add('docent_webhooks_total', { direction: 'in', outcome })
  }

  async #answer(answer: CommentAnswer, stop: AbortSignal): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    try {
      const signal = AbortSignal.any([stop, AbortSignal.timeout(workTimeoutMs)])
      await updateCommentAnswer(store.durable, answer, await answerComment(this.#deps, answer, signal), clock.now())
      return 'done'
    } catch (error) {
      const waitMs = stop.aborted ? 0 : chooseRetryWait(error, answer.attempt, retryPolicy)
      if (!stop.aborted) log.warn({ jobId: answer.jobId, error, retriedInMs: waitMs }, 'comment-answer-failed')
      if (waitMs === null) await finishClaim(store.durable, 'commentAnswers', answer, { state: 'ended' })
      else await releaseClaim(store.durable, 'commentAnswers', answer, clock.now() + waitMs)
      return stop.aborted ? 'handed-back' : 'failed'
    }
  }
}

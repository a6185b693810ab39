import type { BotEvent } from '../bots/bot-event.ts'
import { BotEventLostError } from '../bots/chat-outbox.ts'
import type { BotEventDeps } from '../bots/open-bot-event.ts'
import { claimBotEvent, finishBotEvent, type QueuedBotEvent } from '../store/bots/bot-events.ts'
import { releaseClaim } from '../store/queue.ts'
import { ClaimLoops, type WorkSignals } from './claim-loops.ts'
import { chooseRetryWait, describeFailure, type RetryPolicy } from './retry-wait.ts'
import type { WorkOutcome } from './work-on-claim.ts'

const leaseMs = 60_000
const pollMs = 1_000
const eventsAtOnce = 4

/** Retries end after about ten minutes: an answer that comes later is of no use in a chat. */
const retryPolicy: RetryPolicy = { waitMsMin: 500, waitMsMax: 2 * 60_000, attemptsMax: 13 }

/** Answers questions from chats and handles the buttons below the answers. */
export class BotWorker extends ClaimLoops<QueuedBotEvent<BotEvent>> {
  readonly #deps: BotEventDeps

  constructor(deps: BotEventDeps) {
    super({
      ...deps,
      name: 'bot-event',
      queue: 'botEvents',
      count: eventsAtOnce,
      leaseMs,
      pollMs,
      claim: (times) => claimBotEvent<BotEvent>(deps.store.durable, times),
      work: (claimed, signals) => this.#work(claimed, signals),
      fieldsOf: ({ id, botId }) => ({ botEventId: id, botId }),
    })
    this.#deps = deps
  }

  async #work(claimed: QueuedBotEvent<BotEvent>, { any, stop }: WorkSignals): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    try {
      // Loads the Markdown parser, which a service without chats does not need.
      const { handleBotEvent } = await import('../bots/handle-bot-event.ts')
      await handleBotEvent(this.#deps, claimed, any)
      await finishBotEvent(store.durable, claimed, { failure: null, now: clock.now() })
      log.info({ botEventId: claimed.id, botId: claimed.botId }, 'bot-event-handled')
      return 'done'
    } catch (error) {
      if (stop.aborted) await releaseClaim(store.durable, 'botEvents', claimed, clock.now())
      if (stop.aborted) return 'handed-back'
      return any.aborted || error instanceof BotEventLostError ? 'lost' : this.#retry(claimed, error)
    }
  }

  async #retry(claimed: QueuedBotEvent<BotEvent>, error: unknown): Promise<WorkOutcome> {
    const { store, clock, log } = this.#deps
    const now = clock.now()
    const waitMs = chooseRetryWait(error, claimed.attempt, retryPolicy)
    log.warn({ botEventId: claimed.id, botId: claimed.botId, error, retriedInMs: waitMs }, 'bot-event-failed')
    const failure = describeFailure(error)
    if (waitMs === null) await finishBotEvent(store.durable, claimed, { failure, now })
    else await releaseClaim(store.durable, 'botEvents', claimed, now + waitMs, { outcome: failure })
    return 'failed'
  }
}

import { attemptMemoryMs, successMemoryMs } from '../access/sign-in/sign-in-throttle.ts'
import { removeOldAuditEntries } from '../store/accounts/audit-log.ts'
import { removeOldCounters, removeShortCounters } from '../store/counts/counters.ts'
import { removeOldInvitations } from '../store/accounts/invitations.ts'
import { removeOldSharedViews } from '../store/accounts/shared-views.ts'
import { removeOldPageFeedback, removeOldThreads } from '../store/answers/remove-threads.ts'
import { removeOldHandOvers } from '../store/hand-overs/hand-overs.ts'
import type { BlobStore } from '../store/blobs/blobs.ts'
import { removeOldAttempts } from '../store/accounts/sign-in-attempts.ts'
import { removeEndedStreams } from '../store/streams/stream-events.ts'
import { deleteExpiredSessions } from '../store/accounts/sessions.ts'
import { removeOldBotEvents } from '../store/bots/bot-events.ts'
import { removeOldWebhookDeliveries } from '../store/webhooks/webhook-deliveries.ts'
import { removeOldWebhookEvents } from '../store/webhooks/webhook-sends.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'
import { dayMs, minuteMs } from '../base/durations.ts'

export interface RetentionWorkerDeps extends StoreDeps {
  log: Log
  /** Set if several processes share a database but no folder. */
  blobs?: BlobStore | undefined
  /** Days that a conversation is kept after its newest answer; 0 keeps it forever. */
  retentionDays: number
  /** Days that audit log entries are kept; 0 keeps them forever. */
  auditRetentionDays: number
}

/** Interval between rounds. */
const roundMs = minuteMs

/** No answer runs this long without its process giving a sign of life. */
const deadStreamMs = 10 * minuteMs

/** How long the owner of a chat id is remembered. */
const idleChatMs = dayMs

/** How long an invitation stays listed after it became unusable. */
const endedInvitationMs = 30 * dayMs

/** The longest limit window is a month. */
const counterMs = 62 * dayMs

/** Longer than any of the short windows. */
const shortCounterMs = 2 * 60 * minuteMs

/** How long sent and received webhooks and chat events can be looked up and duplicates are detected. */
const webhookMs = 30 * dayMs

const threadsAtOnceMax = 200

/**
 * Deletes expired data periodically: old conversations, text of ended answers, counts of past windows, sessions, old
 * audit log entries.
 */
export class RetentionWorker {
  readonly #deps: RetentionWorkerDeps
  #timer: NodeJS.Timeout | null = null
  #round: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(deps: RetentionWorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      this.#round = this.#round.then(() => this.removeOld())
    }, roundMs)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#round
  }

  /** One round. Never rejects: failures are retried in the next round. */
  async removeOld(): Promise<void> {
    if (this.#isStopped) return
    const { store, clock, log, retentionDays, auditRetentionDays } = this.#deps
    const now = clock.now()
    try {
      await removeEndedStreams(store.relaxed, { now, deadBefore: now - deadStreamMs, idleBefore: now - idleChatMs })
      await deleteExpiredSessions(store.relaxed, now)
      await removeOldCounters(store.relaxed, now - counterMs)
      await removeShortCounters(store.relaxed, now - shortCounterMs)
      await removeOldAttempts(store.relaxed, {
        failedBefore: now - attemptMemoryMs,
        succeededBefore: now - successMemoryMs,
      })
      await removeOldInvitations(store.relaxed, now - endedInvitationMs)
      await removeOldSharedViews(store.relaxed, now - endedInvitationMs)
      await removeOldBotEvents(store.relaxed, now - webhookMs)
      await removeOldWebhookDeliveries(store.relaxed, now - webhookMs)
      await removeOldWebhookEvents(store.relaxed, now - webhookMs)
      if (auditRetentionDays > 0) await removeOldAuditEntries(store.relaxed, now - auditRetentionDays * dayMs)
      await this.#deps.blobs?.removeUnused()
      if (retentionDays > 0) {
        await removeOldHandOvers(store.relaxed, now - retentionDays * dayMs)
        await removeOldPageFeedback(store.relaxed, now - retentionDays * dayMs)
        await this.#removeThreads(now - retentionDays * dayMs)
      }
    } catch (error) {
      log.warn({ error }, 'retention-failed')
    }
  }

  async #removeThreads(answeredBefore: number): Promise<void> {
    let removed = 0
    for (let some = threadsAtOnceMax; some === threadsAtOnceMax && !this.#isStopped; removed += some) {
      some = await removeOldThreads(this.#deps.store.durable, answeredBefore, threadsAtOnceMax)
    }
    if (removed > 0) this.#deps.log.info({ threads: removed }, 'threads-removed')
  }
}

import type { Clock } from '../base/clock.ts'
import { removeOldCounters } from '../store/counters.ts'
import { removeOldThreads } from '../store/remove-threads.ts'
import type { Store } from '../store/store.ts'
import { removeEndedStreams } from '../store/stream-events.ts'
import { deleteExpiredSessions } from '../store/users.ts'
import type { Log } from '../telemetry/log.ts'

export interface RetentionWorkerDeps {
  store: Store
  clock: Clock
  log: Log
  /** Days that a conversation is kept after its newest answer; 0 keeps it for ever. */
  retentionDays: number
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** Time between two rounds. */
const roundMs = minuteMs

/** No answer runs for so long without its process giving a sign of life. */
const deadStreamMs = 10 * minuteMs

/** How long it is remembered who has used a chat id. */
const idleChatMs = dayMs

/** The longest window of a limit is a month. */
const counterMs = 62 * dayMs

const threadsAtOnceMax = 200

/** Removes by schedule what is kept no longer: old conversations, the text of ended answers, counts of past windows, sessions. */
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

  /** One round. Never rejects: what failed is tried again in the next. */
  async removeOld(): Promise<void> {
    if (this.#isStopped) return
    const { store, clock, log, retentionDays } = this.#deps
    const now = clock.now()
    try {
      await removeEndedStreams(store.relaxed, { now, deadBefore: now - deadStreamMs, idleBefore: now - idleChatMs })
      await deleteExpiredSessions(store.relaxed, now)
      await removeOldCounters(store.relaxed, now - counterMs)
      if (retentionDays > 0) await this.#removeThreads(now - retentionDays * dayMs)
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

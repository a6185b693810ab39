import type { Clock } from '../base/clock.ts'
import { type Claim, releaseAllClaims, type QueueTable, renewClaim } from '../store/queue.ts'
import type { Store } from '../store/store.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { workOnClaim, type WorkOutcome } from './work-on-claim.ts'

export interface ClaimLoopsOptions<Work extends Claim> {
  store: Store
  clock: Clock
  log: Log
  telemetry?: Telemetry | undefined
  /** Identifies the work in logs, metrics and traces. */
  name: string
  /** The queue to release on start and to renew claims in; null if rows are claimed in another way. */
  queue: QueueTable | null
  /** Concurrent work. */
  count: number
  leaseMs: number
  /** Longest wait for work that was not announced: queued by another process, or left by a lapsed claim. */
  pollMs: number
  claim(times: { now: number; leaseUntil: number }): Promise<Work | null>
  /**
   * Does the work and completes, releases or retries its claim. If it throws, the error is logged and the claim lapses.
   */
  work(work: Work, signals: WorkSignals): Promise<WorkOutcome>
  /** Ids for logs and traces. */
  fieldsOf?(work: Work): Record<string, string>
}

export interface WorkSignals {
  /** The process is stopping. */
  stop: AbortSignal
  /** The claim was lost: another worker has it, or the work was withdrawn. */
  lost: AbortSignal
  /** Either of the two. */
  any: AbortSignal
}

/** Renewals per lease, so that a failed one does no harm. */
const renewalsPerLease = 3

/** Claims work from a queue and runs it until stopped. */
export class ClaimLoops<Work extends Claim> {
  readonly #options: ClaimLoopsOptions<Work>
  readonly #stop = new AbortController()
  readonly #sleepers = new Set<() => void>()
  readonly #renewals = new Set<() => Promise<void>>()
  #loops: Promise<void>[] = []
  #isPolled = false
  /** Work was announced while no loop slept, so that a look that was under way may have missed it. */
  #isAnnounced = false

  constructor(options: ClaimLoopsOptions<Work>) {
    this.#options = options
  }

  /** @param begun Awaited before the first claim. */
  start(begun: Promise<void> = Promise.resolve()): void {
    if (this.#loops.length > 0) return
    const ready = begun.then(() => this.#releaseClaims())
    this.#loops = Array.from({ length: this.#options.count }, async (_, index) => {
      await ready
      if (index > 0) await this.#waitForWork()
      await this.#run()
    })
  }

  /** Looks for work now, and checks whether running work was withdrawn. */
  wake(): void {
    this.#wakeOne()
    for (const renew of this.#renewals) void renew()
  }

  /** One loop looks at a time, and wakes the next when it finds work: many idle loops cost no more queries than one. */
  #wakeOne(): void {
    const [wake] = this.#sleepers
    if (wake === undefined) this.#isAnnounced = true
    else wake()
  }

  /** Aborts running work and waits for it to end. */
  async stop(): Promise<void> {
    this.#stop.abort()
    for (const wake of this.#sleepers) wake()
    await Promise.all(this.#loops)
  }

  /** An embedded database has a single process, so claims in it were left by a killed one. */
  async #releaseClaims(): Promise<void> {
    const { store, clock, log, queue, name } = this.#options
    if (store.dialect !== 'sqlite' || queue === null) return
    await releaseAllClaims(store.durable, queue, clock.now()).catch((error: unknown) =>
      log.error({ error, work: name }, 'claims-not-released'),
    )
  }

  async #run(): Promise<void> {
    const { log, name } = this.#options
    while (!this.#stop.signal.aborted) {
      const claimed = await this.#claim().catch((error: unknown) => {
        log.error({ error, work: name }, 'claim-failed')
        return null
      })
      if (claimed === null) {
        if (!this.#isAnnounced) await this.#waitForWork()
        continue
      }
      // There may be more work, and this loop may be the one that was polling.
      this.#wakeOne()
      await this.#work(claimed).catch((error: unknown) =>
        log.error({ error, work: name, ...this.#fieldsOf(claimed) }, 'work-lost'),
      )
    }
  }

  #claim(): Promise<Work | null> {
    const { claim, clock, leaseMs } = this.#options
    this.#isAnnounced = false
    const now = clock.now()
    return claim({ now, leaseUntil: now + leaseMs })
  }

  #fieldsOf(work: Work): Record<string, string> {
    return this.#options.fieldsOf?.(work) ?? { id: work.id }
  }

  #work(claimed: Work): Promise<void> {
    const { name: work } = this.#options
    const unit = { work, fields: this.#fieldsOf(claimed), isTakenOver: claimed.attempt > 1 }
    return workOnClaim(this.#options, unit, () => this.#workWhileHeld(claimed))
  }

  async #workWhileHeld(claimed: Work): Promise<WorkOutcome> {
    const { work, leaseMs } = this.#options
    const lost = new AbortController()
    const renew = () => this.#renew(claimed, lost)
    const heartbeat = setInterval(() => void renew(), leaseMs / renewalsPerLease)
    this.#renewals.add(renew)
    const stop = this.#stop.signal
    try {
      return await work(claimed, { stop, lost: lost.signal, any: AbortSignal.any([stop, lost.signal]) })
    } finally {
      clearInterval(heartbeat)
      this.#renewals.delete(renew)
    }
  }

  async #renew(claimed: Work, lost: AbortController): Promise<void> {
    const { store, clock, queue, leaseMs } = this.#options
    if (queue === null) return
    // An unreachable database does not end the work: the claim may still be ours.
    const isHeld = await renewClaim(store.durable, queue, claimed, clock.now() + leaseMs).catch(() => true)
    if (!isHeld) lost.abort()
  }

  /** Only one idle loop polls. */
  #waitForWork(): Promise<void> {
    return new Promise((resolve) => {
      const isPoller = !this.#isPolled
      this.#isPolled = true
      const wake = () => {
        clearTimeout(timer)
        this.#sleepers.delete(wake)
        if (isPoller) this.#isPolled = false
        resolve()
      }
      const timer = isPoller ? setTimeout(wake, this.#options.pollMs) : undefined
      this.#sleepers.add(wake)
      // Stopping may have begun since the last check.
      if (this.#stop.signal.aborted) wake()
    })
  }
}

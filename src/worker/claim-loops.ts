import type { Clock } from '../base/clock.ts'
import type { Log } from '../telemetry/log.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import { workOnClaim } from './work-on-claim.ts'

export interface ClaimLoopsOptions<Claim> {
  log: Log
  /** What is worked on at the same time. */
  count: number
  /** Takes the next piece of work; null when there is none now. */
  claim(): Promise<Claim | null>
  /** Works it off. What it throws is logged, and the claim lapses by itself. */
  work(claim: Claim, signal: AbortSignal): Promise<void>
  /** For the log. */
  name: string
  /** Longest wait for work that nobody announced: another process made some, or a claim lapsed. */
  pollMs: number
  /** Who gets to know how long the work took; absent: nobody. */
  measured?: {
    clock: Clock
    telemetry?: Telemetry | undefined
    /** Ids, for the log. */ fieldsOf(claim: Claim): Record<string, string>
  }
}

/** Loops that take work off rows of the database until they are stopped. */
export class ClaimLoops<Claim> {
  readonly #options: ClaimLoopsOptions<Claim>
  readonly #stop = new AbortController()
  readonly #sleepers = new Set<() => void>()
  #loops: Promise<void>[] = []
  #isPolled = false

  constructor(options: ClaimLoopsOptions<Claim>) {
    this.#options = options
  }

  /** @param begun What comes before the first claim. */
  start(begun: Promise<void> = Promise.resolve()): void {
    if (this.#loops.length > 0) return
    this.#loops = Array.from({ length: this.#options.count }, () => begun.then(() => this.#run()))
  }

  /** Looks for work now. */
  wake(): void {
    for (const wake of this.#sleepers) wake()
  }

  /** Work that goes on is told by its signal, and is waited for. */
  async stop(): Promise<void> {
    this.#stop.abort()
    this.wake()
    await Promise.all(this.#loops)
  }

  async #run(): Promise<void> {
    const { claim, log, name } = this.#options
    while (!this.#stop.signal.aborted) {
      const claimed = await claim().catch((error: unknown) => {
        log.error({ error, work: name }, 'claim-failed')
        return null
      })
      if (claimed === null) {
        await this.#waitForWork()
        continue
      }
      // Where there is one piece there may be more, and the loop that polled is busy now.
      this.wake()
      await this.#work(claimed).catch((error: unknown) => log.error({ error, work: name }, 'work-lost'))
    }
  }

  #work(claimed: Claim): Promise<void> {
    const { work, name, measured } = this.#options
    if (measured === undefined) return work(claimed, this.#stop.signal)
    return workOnClaim(measured, { work: name, fields: measured.fieldsOf(claimed) }, async () => {
      await work(claimed, this.#stop.signal)
      return 'done'
    })
  }

  /** Of those that have nothing to do one polls, so that idle loops cost no more than one. */
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
      // It may have been told to stop since it looked.
      if (this.#stop.signal.aborted) wake()
    })
  }
}

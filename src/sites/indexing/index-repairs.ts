import type { IdSource } from '../../base/ids.ts'
import { damageCause, isDamageRepair, listIndexRuns } from '../../store/sites/index-runs.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Log } from '../../telemetry/log.ts'
import { requestSync } from '../create-site.ts'

export interface IndexRepairsDeps extends StoreDeps {
  ids: IdSource
  log: Log
  /** Called after a run was queued for the site. */
  wake(siteId: string): void
}

/** Delay before the next repair, doubled after each one that did not help. */
const waitMsMin = 5_000
const waitMsMax = 10 * 60_000

/** Queues rebuilds of damaged indexes: the first immediately, then with exponential backoff. */
export class IndexRepairs {
  readonly #deps: IndexRepairsDeps
  readonly #asked = new Map<string, { times: number; nextAt: number }>()

  constructor(deps: IndexRepairsDeps) {
    this.#deps = deps
  }

  /**
   * Cheap to call often. Never rejects: a repair that cannot be queued is requested again when the damage is next
   * noticed.
   */
  async ask(siteId: string, error: unknown): Promise<void> {
    const { clock, log, wake } = this.#deps
    const now = clock.now()
    const { times, nextAt } = this.#asked.get(siteId) ?? { times: 0, nextAt: -Infinity }
    // A time further ahead means that the clock has been set back since.
    if (now < nextAt && nextAt - now <= waitMsMax) return
    this.#asked.set(siteId, { times: times + 1, nextAt: now + Math.min(waitMsMax, waitMsMin * 2 ** times) })
    try {
      if (await this.#isUnderWay(siteId)) return
      log.warn({ siteId, error, time: times + 1 }, 'index-unreadable')
      await requestSync(this.#deps, siteId, damageCause)
      wake(siteId)
    } catch (reason) {
      this.#asked.delete(siteId)
      log.error({ siteId, error: reason }, 'sync-request-failed')
    }
  }

  /** The site's index is intact: further damage is new. */
  forget(siteId: string): void {
    this.#asked.delete(siteId)
  }

  async #isUnderWay(siteId: string): Promise<boolean> {
    const { items } = await listIndexRuns(this.#deps.store.durable, siteId, { limit: 2 })
    return items.some((run) => isDamageRepair(run) && (run.state === 'queued' || run.state === 'running'))
  }
}

import { type DashboardChange, dashboardChangeSchema, type DashboardEvent } from '../contract/dashboard-event.ts'
import type { Notices } from '../store/streams/notices.ts'
import { listRecentChanges, type RecentChange } from '../store/facts/recent-changes.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import type { Log } from '../telemetry/log.ts'

export interface DashboardEventsDeps extends StoreDeps {
  log: Log
  notices: Notices
}

type Listener = (event: DashboardEvent) => void

/** Runs, jobs and answers are polled, because any process may write them. */
const pollMs = 1_000
/** Minimum interval of polls triggered by `wake`. */
const pollMsMin = 200
/** Covers clock differences between processes, and rows that only become visible on commit. */
const lookbackMs = 60_000
const changesMax = 100

const typeOf = { run: 'sync-changed', job: 'job-changed', thread: 'conversation-added' } as const

/**
 * Notifies open dashboards of changes. Changes by API handlers of any process are published immediately; those by
 * workers are found by polling the database, only while someone listens.
 */
export class DashboardEvents {
  readonly #deps: DashboardEventsDeps
  readonly #organizations = new Map<string, OrganizationWatch>()
  #isListening = false

  constructor(deps: DashboardEventsDeps) {
    this.#deps = deps
  }

  /**
   * The first event is `everything-changed`; no event after it is missed.
   *
   * @returns Ends the subscription.
   */
  subscribe(organizationId: string, listener: Listener): () => void {
    if (!this.#isListening) this.#listen()
    let watch = this.#organizations.get(organizationId)
    if (watch === undefined) {
      watch = new OrganizationWatch(this.#deps, organizationId)
      this.#organizations.set(organizationId, watch)
    }
    watch.add(listener)
    return () => {
      watch.listeners.delete(listener)
      if (watch.listeners.size > 0 || this.#organizations.get(organizationId) !== watch) return
      watch.stop()
      this.#organizations.delete(organizationId)
    }
  }

  countListeners(organizationId: string): number {
    return this.#organizations.get(organizationId)?.listeners.size ?? 0
  }

  /** Publishes a change to the listeners of this process and of all others. */
  publish(organizationId: string, change: DashboardChange): void {
    this.#organizations.get(organizationId)?.tell(change)
    void this.#deps.notices.send(JSON.stringify({ organizationId, change }))
  }

  /** Call after a write to poll sooner. Costs nothing without listeners. */
  wake(): void {
    for (const watch of this.#organizations.values()) watch.wake()
  }

  close(): void {
    for (const watch of this.#organizations.values()) watch.stop()
    this.#organizations.clear()
  }

  #listen(): void {
    this.#isListening = true
    const tellGap = () => {
      for (const watch of this.#organizations.values()) watch.tell({ type: 'everything-changed' })
    }
    this.#deps.notices.listen((text) => this.#hear(text), tellGap)
  }

  #hear(text: string): void {
    try {
      const { organizationId, change } = JSON.parse(text) as { organizationId: string; change: unknown }
      this.#organizations.get(organizationId)?.tell(dashboardChangeSchema.parse(change))
    } catch (error) {
      // Another release may publish changes that this one does not know.
      this.#deps.log.warn({ error }, 'dashboard-notice-unreadable')
    }
  }
}

/** Polls for changes of one organization. */
class OrganizationWatch {
  readonly listeners = new Set<Listener>()
  readonly #deps: DashboardEventsDeps
  readonly #organizationId: string
  /** By kind, id and site; null before the first poll. */
  #versions: Map<string, string> | null = null
  #timer: NodeJS.Timeout | null = null
  #lookedAt = -Infinity
  #isChecking = false
  #hasMissed = false
  #isStopped = false

  constructor(deps: DashboardEventsDeps, organizationId: string) {
    this.#deps = deps
    this.#organizationId = organizationId
    this.#checkIn(0)
  }

  /** Sends `everything-changed` first, as soon as no later event can be missed. */
  add(listener: Listener): void {
    this.listeners.add(listener)
    if (this.#versions !== null) listener({ type: 'everything-changed' })
  }

  tell(event: DashboardEvent): void {
    for (const listener of this.listeners) listener(event)
  }

  wake(): void {
    if (this.#isStopped || this.#isChecking) return
    this.#checkIn(Math.max(0, this.#lookedAt + pollMsMin - this.#deps.clock.now()))
  }

  stop(): void {
    this.#isStopped = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #checkIn(ms: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#look(), ms)
    this.#timer.unref()
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    const { store, clock, log } = this.#deps
    this.#isChecking = true
    this.#lookedAt = clock.now()
    try {
      const request = { organizationId: this.#organizationId, since: this.#lookedAt - lookbackMs, limit: changesMax }
      const changes = await listRecentChanges(store.relaxed, request)
      if (this.#isStopped) return
      if (this.#hasMissed) this.tell({ type: 'everything-changed' })
      this.#hasMissed = false
      this.#compare(changes)
    } catch (error) {
      if (!this.#hasMissed) log.warn({ error }, 'dashboard-look-failed')
      this.#hasMissed = true
    } finally {
      this.#isChecking = false
      if (!this.#isStopped) this.#checkIn(pollMs)
    }
  }

  #compare(changes: readonly RecentChange[]): void {
    const before = this.#versions
    this.#versions = new Map(changes.map((change) => [`${change.kind} ${change.id} ${change.siteId}`, change.version]))
    if (before === null) return this.tell({ type: 'everything-changed' })
    for (const { kind, id, siteId, version, hasSucceeded } of changes) {
      if (before.get(`${kind} ${id} ${siteId}`) === version) continue
      this.tell({ type: typeOf[kind], id, siteId })
      if (hasSucceeded) this.tell({ type: 'site-changed', id: siteId })
    }
  }
}

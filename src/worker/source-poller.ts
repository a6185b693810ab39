import { hourMs } from '../base/durations.ts'
import { isRecent } from '../base/is-recent.ts'
import { isForgeKind } from '../contract/code-hosts.ts'
import { syncIfSourceChanged, type SourceChangeDeps } from '../sites/sources/sync-if-source-changed.ts'
import { removeLeftovers } from '../sites/remove-leftovers.ts'
import { getSite, type Site } from '../store/sites/sites.ts'
import { listDueSourceChecks, claimSourceCheck } from '../store/sites/source-checks.ts'
import type { Log } from '../telemetry/log.ts'

export interface SourcePollerDeps extends SourceChangeDeps {
  log: Log
  /** Folders of the index files and of the parsed pages. */
  indexFolder: string
  parsedFolder: string
  driftFolder: string
  /** Folder of the sites' vectors. */
  vectorFolder: string
  /** Folder of stored crawls. */
  crawlFolder: string
  /** Interval between checks of a git repository. */
  repositoryIntervalMs: number
  /** Interval between crawls of a site; null if it is crawled only on request. */
  crawlIntervalMs: number | null
  /** Called when a check has queued a sync. */
  onQueued(): void
}

/** Folders are local, so checks are cheap. */
const folderIntervalMs = 60_000

/** Interval for sources that are not watched: the setting may have changed. */
const unwatchedIntervalMs = hourMs

/** Interval between queries for due sources. */
const roundMs = 5_000

/** Sources checked in one round, and concurrently. */
const checksPerRoundMax = 100
const checksAtOnce = 4

const checkTimeoutMs = 60_000
const leftoversIntervalMs = hourMs

/** Checks the sources of sites periodically, and queues a sync of those that changed. */
export class SourcePoller {
  readonly #deps: SourcePollerDeps
  readonly #stop = new AbortController()
  #loop: Promise<void> | null = null
  #wake: (() => void) | null = null
  #leftoversRemovedAt = -Infinity

  constructor(deps: SourcePollerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#wake?.()
    await this.#loop
  }

  /**
   * Checks the due sources once. Each replica checks only the sources it claimed first.
   *
   * @returns How many syncs were queued.
   */
  async poll(): Promise<number> {
    const { store, clock, repositoryIntervalMs, crawlIntervalMs } = this.#deps
    const aheadMsMax = Math.max(repositoryIntervalMs, crawlIntervalMs ?? 0, folderIntervalMs, unwatchedIntervalMs)
    const due = await listDueSourceChecks(store.durable, { now: clock.now(), aheadMsMax, limit: checksPerRoundMax })
    let queued = 0
    const next = due.values()
    const work = async () => {
      for (const check of next) {
        if (this.#stop.signal.aborted) return
        if (await this.#look(check)) queued++
      }
    }
    await Promise.all(Array.from({ length: checksAtOnce }, work))
    if (queued > 0) this.#deps.onQueued()
    return queued
  }

  /** A failed check is logged and repeated when the source is next due. */
  async #look(check: { siteId: string; dueAt: number | null }): Promise<boolean> {
    const { store, clock, log } = this.#deps
    const site = await getSite(store.durable, check.siteId)
    if (site === null) return false
    const intervalMs = this.#intervalOf(site)
    const nextAt = clock.now() + (intervalMs ?? unwatchedIntervalMs)
    if (!(await claimSourceCheck(store.durable, check, nextAt)) || intervalMs === null) return false
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(checkTimeoutMs)])
    return syncIfSourceChanged(this.#deps, site, signal).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) log.warn({ siteId: site.id, error }, 'source-check-failed')
      return false
    })
  }

  #intervalOf({ source }: Site): number | null {
    const { repositoryIntervalMs, crawlIntervalMs } = this.#deps
    if (source.kind === 'crawl') return crawlIntervalMs
    return source.kind === 'git' || isForgeKind(source.kind) ? repositoryIntervalMs : folderIntervalMs
  }

  async #run(): Promise<void> {
    const { log } = this.#deps
    while (!this.#stop.signal.aborted) {
      await this.poll().catch((error: unknown) => log.error({ error }, 'source-poll-failed'))
      await this.#removeLeftovers().catch((error: unknown) => log.warn({ error }, 'leftovers-not-removed'))
      await this.#pause()
    }
  }

  async #removeLeftovers(): Promise<void> {
    const { clock, log } = this.#deps
    if (isRecent(this.#leftoversRemovedAt, leftoversIntervalMs, clock.now())) return
    this.#leftoversRemovedAt = clock.now()
    const files = await removeLeftovers(this.#deps)
    if (files > 0) log.info({ files }, 'leftovers-removed')
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, roundMs)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
      if (this.#stop.signal.aborted) this.#wake()
    })
  }
}

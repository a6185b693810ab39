import { isRecent } from '../base/is-recent.ts'
import { isForgeKind } from '../contract/code-hosts.ts'
import { checkSource, type CheckSourceDeps } from '../sites/sources/check-source.ts'
import { removeLeftovers } from '../sites/remove-leftovers.ts'
import { getSite, type Site } from '../store/sites/sites.ts'
import { listDueSourceChecks, takeSourceCheck } from '../store/sites/source-checks.ts'
import type { Log } from '../telemetry/log.ts'

export interface SourcePollerDeps extends CheckSourceDeps {
  log: Log
  /** The folders of the index files and of the parsed pages. */
  indexFolder: string
  parsedFolder: string
  /** The folder of the vectors of sites. */
  vectorFolder: string
  /** The folder in which crawls are kept. */
  crawlFolder: string
  /** Time between two looks at a git repository. */
  repositoryIntervalMs: number
  /** Time between two crawls of a site; null: it is crawled only when somebody asks. */
  crawlIntervalMs: number | null
  /** Called when a look has queued a sync. */
  onQueued(): void
}

/** Folders lie on this machine, so that a look costs nobody else anything. */
const folderIntervalMs = 60_000

/** When a source that is not watched is thought of again: the setting may have changed. */
const unwatchedIntervalMs = 60 * 60_000

/** Time between two looks at which sources are due. */
const roundMs = 5_000

/** Sources that are looked at in one round, and at once. */
const checksPerRoundMax = 100
const checksAtOnce = 4

const checkTimeoutMs = 60_000
const tidyIntervalMs = 60 * 60_000

/** Looks at the sources of sites by schedule, and queues a sync of those that changed. */
export class SourcePoller {
  readonly #deps: SourcePollerDeps
  readonly #stop = new AbortController()
  #loop: Promise<void> | null = null
  #wake: (() => void) | null = null
  #tidiedAt = -Infinity

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
   * Looks at the sources that are due, once. Of several replicas each looks at those that it was the first to take.
   *
   * @returns How many syncs are queued now.
   */
  async poll(): Promise<number> {
    const { store, clock } = this.#deps
    const due = await listDueSourceChecks(store.durable, clock.now(), checksPerRoundMax)
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

  /** A source that cannot be looked at is logged and looked at again at its next time. */
  async #look(check: { siteId: string; dueAt: number | null }): Promise<boolean> {
    const { store, clock, log } = this.#deps
    const site = await getSite(store.durable, check.siteId)
    if (site === null) return false
    const intervalMs = this.#intervalOf(site)
    const nextAt = clock.now() + (intervalMs ?? unwatchedIntervalMs)
    if (!(await takeSourceCheck(store.durable, check, nextAt)) || intervalMs === null) return false
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(checkTimeoutMs)])
    return checkSource(this.#deps, site, signal).catch((error: unknown) => {
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
      await this.#tidy().catch((error: unknown) => log.warn({ error }, 'leftovers-not-removed'))
      await this.#pause()
    }
  }

  async #tidy(): Promise<void> {
    const { clock, log } = this.#deps
    if (isRecent(this.#tidiedAt, tidyIntervalMs, clock.now())) return
    this.#tidiedAt = clock.now()
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

import { isRecent } from '../base/is-recent.ts'
import type { Clock } from '../base/clock.ts'
import { embedSite, type EmbedSiteDeps } from '../sites/indexing/embed-site.ts'
import { listSites, type Site } from '../store/sites/sites.ts'

export interface EmbeddingWorkerDeps extends EmbedSiteDeps {
  clock: Clock
  /** Resolves after the delay, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Interval between scans of all sites, which catch indexes that other processes published but did not embed. */
const scanIntervalMs = 10 * 60_000
const roundMs = 5_000

/** Pause after a failed request to the provider, doubled with each further failure. */
const retryMsMin = 30_000
const retryMsMax = 30 * 60_000

/** Computes the vectors of sites after their index is published, one site at a time. */
export class EmbeddingWorker {
  readonly #deps: EmbeddingWorkerDeps
  readonly #stop = new AbortController()
  readonly #queue = new Set<string>()
  #pause = new AbortController()
  #loop: Promise<void> | null = null
  #scannedAtMs = -Infinity
  #failures = 0
  #failedAtMs = -Infinity
  #waitMs = 0

  constructor(deps: EmbeddingWorkerDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Call when a new index of the site was published. */
  note(siteId: string): void {
    this.#queue.add(siteId)
    this.#pause.abort()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    this.#pause.abort()
    await this.#loop
  }

  async #run(): Promise<void> {
    const { log, sleep } = this.#deps
    while (!this.#stop.signal.aborted) {
      await this.#round().catch((error: unknown) => log.error({ error }, 'embedding-round-failed'))
      this.#pause = new AbortController()
      if (this.#queue.size > 0 && this.#failures === 0) continue
      await sleep(roundMs, AbortSignal.any([this.#pause.signal, this.#stop.signal]))
    }
  }

  async #round(): Promise<void> {
    const nowMs = this.#deps.clock.now()
    if (isRecent(this.#failedAtMs, this.#waitMs, nowMs)) return
    if (!isRecent(this.#scannedAtMs, scanIntervalMs, nowMs)) {
      for (const { id } of await this.#listAllSites()) this.#queue.add(id)
      this.#scannedAtMs = nowMs
    }
    for (const siteId of this.#queue) {
      if (this.#stop.signal.aborted || !(await this.#embed(siteId))) return
    }
  }

  /** @returns False if the provider should be left alone for now. */
  async #embed(siteId: string): Promise<boolean> {
    const { log, clock } = this.#deps
    // Remove it first, so that an index published in the meantime queues the site again.
    this.#queue.delete(siteId)
    try {
      await embedSite(this.#deps, siteId, this.#stop.signal)
      this.#failures = 0
      return true
    } catch (error) {
      if (this.#stop.signal.aborted) return false
      this.#queue.add(siteId)
      this.#waitMs = Math.min(retryMsMax, retryMsMin * 2 ** this.#failures++)
      this.#failedAtMs = clock.now()
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ siteId, reason, retriedInMs: this.#waitMs }, 'site-embedding-failed')
      return false
    }
  }

  async #listAllSites(): Promise<Site[]> {
    const { store } = this.#deps
    const sites: Site[] = []
    let cursor: string | null = null
    do {
      const page: { items: Site[]; nextCursor: string | null } = await listSites(store.durable, { limit: 500, cursor })
      sites.push(...page.items)
      cursor = page.nextCursor
    } while (cursor !== null)
    return sites
  }
}

import type { BuiltinHostDeps } from '../codehost/builtin-host-deps.ts'
import { Mirrors } from '../git/mirrors.ts'
import { createSearchEngine } from '../search/search-engine.ts'
import { requestSync, resumeSyncs } from '../sites/create-site.ts'
import { LiveSites } from '../sites/live-sites.ts'
import { removeSite } from '../sites/remove-site.ts'
import { requestSyncsOfBranch } from '../sites/request-syncs-of-branch.ts'
import type { Site } from '../store/sites.ts'
import { IndexWorker } from '../worker/index-worker.ts'
import { RepositoryTidier } from '../worker/repository-tidier.ts'
import { RetentionWorker } from '../worker/retention-worker.ts'
import { SourcePoller } from '../worker/source-poller.ts'
import { buildEmbedding } from './embedding-parts.ts'
import type { Foundation } from './foundation.ts'

/** The sites, and everything that keeps them current. */
export interface SiteParts {
  sites: LiveSites
  host: BuiltinHostDeps
  /** There is work; with `workOnDemand`, for the site that is named alone. */
  wake(siteId?: string): void
  /** Works from now on only for the sites that requests name. */
  workOnDemand(): void
  removeSite(site: Site): Promise<void>
  /** Takes up work. */
  start(): Promise<void>
  /** Hands back what is being worked on. */
  stop(): Promise<void>
  /** Lets go of the indexes; no answer may run any more. */
  close(): Promise<void>
}

/** @throws {SettingsError} when the settings name an embedding model that cannot be used. */
export async function createSiteParts(foundation: Foundation): Promise<SiteParts> {
  const { settings, clock, log, folder, store, baseUrl } = foundation
  const folders = {
    indexFolder: folder.indexes,
    parsedFolder: folder.parsed,
    vectorFolder: folder.vectors,
    repositoryFolder: folder.repositories,
    crawlFolder: folder.crawls,
  }
  const { allowPrivateAddresses: allowsPrivateAddresses } = settings
  const mirrors = new Mirrors({ folder: folder.mirrors, allowsPrivateAddresses })
  const deps = { ...foundation, ...folders, mirrors, allowsPrivateAddresses }
  const embedding = await buildEmbedding({ clock, log, folder }, settings)
  const embeddingWorker = embedding?.createWorker(store)
  const search = createSearchEngine({ log, clock, questions: embedding?.questions ?? null })
  const onUnreadable = (siteId: string, error: unknown) => {
    log.warn({ siteId, error }, 'index-unreadable')
    requestSync(foundation, siteId, 'index-unreadable').then(
      () => worker.wake(),
      (reason: unknown) => log.error({ siteId, error: reason }, 'sync-request-failed'),
    )
  }
  const sites = new LiveSites({ ...deps, search, onUnreadable })
  const worker = new IndexWorker({
    ...deps,
    onPublished: (siteId) => {
      sites.forget()
      embeddingWorker?.note(siteId)
    },
  })
  const poller = new SourcePoller({
    ...deps,
    repositoryIntervalMs: settings.pollMinutes * 60_000,
    crawlIntervalMs: settings.crawlHours === 0 ? null : settings.crawlHours * 60 * 60_000,
    onQueued: () => worker.wake(),
  })
  const tidier = new RepositoryTidier(deps)
  const retention = new RetentionWorker({ ...deps, retentionDays: settings.retentionDays })
  let worksOnDemand = false
  const wake = (siteId?: string) => {
    if (!worksOnDemand) worker.wake()
    else if (siteId !== undefined) worker.workFor(siteId)
  }
  const host: BuiltinHostDeps = {
    ...foundation,
    repositoryFolder: folder.repositories,
    baseUrl,
    onBranchMoved: async (move) => {
      if ((await requestSyncsOfBranch(foundation, move)) > 0) wake()
    },
  }
  return {
    sites,
    host,
    wake,
    workOnDemand: () => void (worksOnDemand = true),
    removeSite: (site) => removeSite({ ...deps, sites }, site),
    async start() {
      await resumeSyncs(foundation)
      for (const each of [worker, retention, tidier, embeddingWorker]) each?.start()
      if (settings.pollMinutes > 0) poller.start()
      else await poller.poll()
    },
    async stop() {
      const stopping = [poller, worker, embeddingWorker, retention, tidier].map(async (each) => each?.stop())
      await Promise.all(stopping)
    },
    close: () => search.close(),
  }
}

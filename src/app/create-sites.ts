import { hourMs } from '../base/durations.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createGuardedFetch } from '../base/guarded-fetch.ts'
import type { BuiltinHostDeps } from '../codehost/builtin/builtin-host-deps.ts'
import { mergeFile } from '../content/navigation/merge-file.ts'
import { Mirrors } from '../git/remotes/mirrors.ts'
import { traceFetch } from '../telemetry/trace-fetch.ts'
import { createSearchEngine } from '../search/search-engine.ts'
import { resumeSyncs } from '../sites/create-site.ts'
import { ContextRepositories } from '../sites/context-repositories.ts'
import { Forges } from '../sites/forges.ts'
import { IndexRepairs } from '../sites/indexing/index-repairs.ts'
import { LiveSites } from '../sites/live-sites.ts'
import { removeSite } from '../sites/remove-site.ts'
import type { IndexProcesses } from '../sites/indexing/index-processes.ts'
import { requestSyncsOfBranch } from '../sites/request-syncs-of-branch.ts'
import { nameVectorFile } from '../search/vectors/vector-file-format.ts'
import type { IndexGeneration } from '../store/sites/index-generations.ts'
import type { Site } from '../store/sites/sites.ts'
import { IndexWorker } from '../worker/index-worker.ts'
import { RepositoryGarbageCollector } from '../worker/repository-garbage-collector.ts'
import { RetentionWorker } from '../worker/retention-worker.ts'
import { SourcePoller } from '../worker/source-poller.ts'
import { buildEmbedding } from './build-embedding.ts'
import type { Foundation } from './foundation.ts'

/** The sites and everything that keeps them up to date. */
export interface Sites {
  sites: LiveSites
  host: BuiltinHostDeps
  forges: Forges
  contexts: ContextRepositories
  /** Wakes the worker; after `workOnDemand`, only for the given site. */
  wake(siteId?: string): void
  /** Calls the listener whenever this process publishes an index. */
  onPublished(listener: () => void): void
  /** Calls the listener whenever this process moves a branch of the built-in host. */
  onBranchMoved(listener: BuiltinHostDeps['onBranchMoved']): void
  /** From now on, works only for sites named by requests. */
  workOnDemand(): void
  removeSite(site: Site): Promise<void>
  /** Starts the maintenance that every serving process does for its own folder. */
  serve(): void
  /** Starts the workers. */
  start(): Promise<void>
  /** Hands unfinished work back. */
  stop(): Promise<void>
  /** Releases the indexes; answers must have ended. */
  close(): Promise<void>
}

/** Time between two checks of the served indexes. Requests check as well. */
const checkMs = 15_000

/** @throws {SettingsError} if the configured embedding model cannot be used. */
export async function createSites(
  foundation: Foundation,
  indexProcesses: Pick<IndexProcesses, 'run' | 'close'>,
): Promise<Sites> {
  const { settings, clock, log, folder, store, baseUrl } = foundation
  const folders = {
    indexFolder: folder.indexes,
    parsedFolder: folder.parsed,
    vectorFolder: folder.vectors,
    repositoryFolder: folder.repositories,
    crawlFolder: folder.crawls,
    driftFolder: folder.drift,
  }
  const { allowPrivateAddresses: allowsPrivateAddresses } = settings
  const mirrors = new Mirrors({ folder: folder.mirrors, allowsPrivateAddresses })
  const forges = new Forges({
    ...foundation,
    ...foundation.modelDeps,
    mirrors,
    allowsPrivateAddresses,
    fetch: traceFetch(createGuardedFetch({ allowsPrivateAddresses })),
  })
  const deps = { ...foundation, ...folders, mirrors, forges, allowsPrivateAddresses }
  const contexts = new ContextRepositories(deps)
  const embedding = await buildEmbedding(foundation, settings)
  const embeddingWorker = embedding?.createWorker(store)
  const search = createSearchEngine({
    log,
    clock,
    questions: embedding?.questions ?? null,
    metrics: foundation.telemetry.metrics,
  })
  const repairs = new IndexRepairs({ ...foundation, wake: (siteId) => wake(siteId) })
  const onVectorsLost = async (generation: IndexGeneration) => {
    const { indexCache } = foundation
    if (indexCache !== undefined) return indexCache.discardVectors(generation)
    await rm(join(folder.indexes, nameVectorFile(generation.file)), { force: true })
    embeddingWorker?.note(generation.siteId)
  }
  const sites = new LiveSites({
    ...deps,
    search,
    repairs,
    onVectorsLost: (generation) =>
      void onVectorsLost(generation).catch((error: unknown) => log.warn({ error }, 'vectors-not-discarded')),
    usesVectors: embedding !== null,
  })
  const publishedListeners: (() => void)[] = []
  const worker = new IndexWorker({
    ...deps,
    indexProcesses,
    onPublished: (siteId) => {
      sites.forget()
      embeddingWorker?.note(siteId)
      for (const tell of publishedListeners) tell()
    },
  })
  const poller = new SourcePoller({
    ...deps,
    repositoryIntervalMs: settings.pollMinutes * 60_000,
    crawlIntervalMs: settings.crawlHours === 0 ? null : settings.crawlHours * hourMs,
    onQueued: () => worker.wake(),
  })
  const garbageCollector = new RepositoryGarbageCollector(deps)
  const retention = new RetentionWorker({
    ...deps,
    retentionDays: settings.retentionDays,
    auditRetentionDays: settings.auditRetentionDays,
  })
  let checking: NodeJS.Timeout | undefined
  let worksOnDemand = false
  const wake = (siteId?: string) => {
    if (!worksOnDemand) worker.wake()
    else if (siteId !== undefined) worker.workFor(siteId)
  }
  const branchListeners: BuiltinHostDeps['onBranchMoved'][] = []
  const host: BuiltinHostDeps = {
    ...foundation,
    repositoryFolder: folder.repositories,
    baseUrl,
    mergeFile,
    requiresApproval: settings.requireApproval,
    onBranchMoved: async (move) => {
      if ((await requestSyncsOfBranch(foundation, move)) > 0) wake()
      for (const tell of branchListeners) await tell(move)
    },
  }
  return {
    sites,
    host,
    forges,
    contexts,
    wake,
    onPublished: (listener) => void publishedListeners.push(listener),
    onBranchMoved: (listener) => void branchListeners.push(listener),
    workOnDemand: () => void (worksOnDemand = true),
    removeSite: (site) => removeSite({ ...deps, sites }, site),
    serve() {
      checking = setInterval(() => void sites.check(), checkMs).unref()
      sites.warm().catch((error: unknown) => log.warn({ error }, 'indexes-not-fetched'))
      if (foundation.sharedRepositories !== undefined) garbageCollector.start()
    },
    async start() {
      await resumeSyncs(foundation)
      for (const each of [worker, retention, garbageCollector, embeddingWorker]) each?.start()
      if (settings.pollMinutes > 0) poller.start()
      else await poller.poll()
    },
    async stop() {
      const stopping = [poller, worker, embeddingWorker, retention, garbageCollector].map(async (each) => each?.stop())
      await Promise.all(stopping)
      indexProcesses.close()
    },
    close() {
      clearInterval(checking)
      return search.close()
    },
  }
}

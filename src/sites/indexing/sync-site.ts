import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { IdSource } from '../../base/ids.ts'
import type { Mirrors } from '../../git/remotes/mirrors.ts'
import { hasItsDigest } from '../../search/index-file/index-digest.ts'
import { nameVectorFile } from '../../search/vectors/vector-file-format.ts'
import {
  getCurrentIndexGeneration,
  type IndexGeneration,
  listIndexGenerations,
  publishIndexGeneration,
  removeOldIndexGenerations,
} from '../../store/sites/index-generations.ts'
import { confirmOrigin, needsConfirmation } from '../../store/sites/site-confirmations.ts'
import { setIndexBlob } from '../../store/sites/index-blobs.ts'
import { insertIndexGuidance } from '../../store/sites/index-guidance.ts'
import { type IndexRun, type IndexRunProgress, isRebuild, reportIndexRun } from '../../store/sites/index-runs.ts'
import { replaceDiscrepancies } from '../../store/discrepancies/discrepancies.ts'
import { getSite, type Site, type SiteSource } from '../../store/sites/sites.ts'
import type { Store } from '../../store/store.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Log } from '../../telemetry/log.ts'
import { runInSpan } from '../../telemetry/work-context.ts'
import { crawlSource, type CrawlSourceDeps } from '../sources/crawl-source.ts'
import { replacedIndexKeptMs } from '../live-sites.ts'
import { describeSelfCheck } from '../describe-reading.ts'
import { type BuiltinSourceDeps, resolveBuiltinSource } from '../sources/builtin-source.ts'
import { openRemoteSource, type RemoteSourceDeps } from '../sources/remote-source.ts'
import { type IndexCache, IndexUnavailableError } from './index-cache.ts'
import type { SiteDiscrepancies } from '../find-discrepancies.ts'
import type { IndexProcesses } from './index-processes.ts'
import type { Claim } from '../../store/queue.ts'

export interface SyncSiteDeps extends StoreDeps, BuiltinSourceDeps, CrawlSourceDeps, RemoteSourceDeps {
  ids: IdSource
  log: Log
  mirrors: Mirrors
  indexProcesses: Pick<IndexProcesses, 'run'>
  /** Folder of the index files; created if missing. */
  indexFolder: string
  /** Set when several processes share a database but no folder. */
  indexCache?: IndexCache | undefined
  /** Folder of the parsed pages cached between runs. */
  parsedFolder: string
  /** Called when a generation was published, so that this process serves it immediately. */
  onPublished(siteId: string): void
}

/** Generations kept regardless of age: the current and the previous one. */
const generationsKept = 2

/**
 * Brings a site's index up to date with its source: builds a new file next to the old one and publishes it as the next
 * generation. Readers see no change until then, and a failure at any point leaves the old generation in service.
 *
 * @param run A claimed run; its attempt fences the publication.
 * @returns The new generation, or null when the source has not changed or the claim was lost.
 * @throws {Error} with a message, when the site cannot be indexed.
 */
export async function syncSite(
  deps: SyncSiteDeps,
  run: IndexRun,
  signal: AbortSignal,
): Promise<IndexGeneration | null> {
  const { store, indexFolder } = deps
  const site = await getSite(store.durable, run.siteId)
  if (site === null) throw new Error('The site was deleted.')
  const current = await getCurrentIndexGeneration(store.durable, site.id)
  await mkdir(indexFolder, { recursive: true })
  const id = deps.ids.prefixed('gen')
  const onProgress = createProgressReporter(deps, run)
  onProgress({ step: 'fetching', pagesDone: 0, pagesTotal: 0 })
  const kind = { attributes: { 'docent.source': site.source.kind } }
  const source = await runInSpan('fetch source', kind, () => fetchSource(deps, { site, run, onProgress }, signal))
  const previous = isRebuild(run) || current === null ? none : await placePrevious(deps, { current, run }, signal)
  const result = await deps.indexProcesses.run(
    {
      source,
      siteUrl: site.baseUrl,
      file: join(indexFolder, `${id}.sqlite`),
      previousFile: previous.file,
      parsedFile: join(deps.parsedFolder, site.id),
      isWrittenByOwner: site.source.kind !== 'crawl',
      currentRevision: previous.isWhole && isReadFor(site, current) ? current.revision : null,
    },
    { signal, onProgress, onRevision: (revision) => void recordRevision(deps, run, revision) },
  )
  if (result.outcome === 'unchanged') return null
  onProgress({ step: 'publishing', pagesDone: result.header.pageCount, pagesTotal: result.header.pageCount })
  const { file, header, findings, guidance, reading, discrepancies, icon } = result
  const selfCheck = describeSelfCheck(site, reading)
  deps.indexCache?.use(file)
  // Before any process learns of it.
  const blob = (await deps.indexCache?.store(file, signal, !previous.isWhole)) ?? null
  const generation = await store.durable.transaction().execute(async (transaction) => {
    const isWaiting = await needsConfirmation(transaction, site.id, selfCheck)
    const published = await publishIndexGeneration(transaction, run, {
      id,
      siteId: site.id,
      revision: header.revision,
      file,
      pageCount: header.pageCount,
      chunkCount: header.chunkCount,
      findings,
      createdAt: deps.clock.now(),
      selfCheck,
      isWaiting,
      icon,
    })
    if (published !== null && !isWaiting) await confirmOrigin(transaction, site.id, selfCheck)
    if (published !== null) await insertIndexGuidance(transaction, id, guidance)
    if (published !== null) await storeDiscrepancies(deps, transaction, { siteId: site.id, discrepancies })
    const shared = { generationId: id, part: 'index' as const, model: null }
    if (published !== null && blob !== null) await setIndexBlob(transaction, { ...shared, hash: blob.hash })
    return published
  })
  if (generation === null) {
    await rm(join(indexFolder, file), { force: true })
    return null
  }
  deps.onPublished(site.id)
  await removeOldGenerations(deps, site.id)
  return generation
}

async function storeDiscrepancies(
  { ids, clock }: SyncSiteDeps,
  db: Store['durable'],
  { siteId, discrepancies }: { siteId: string; discrepancies: SiteDiscrepancies },
): Promise<void> {
  for (const kind of ['contradiction', 'sample'] as const) {
    const found = discrepancies[kind]
    const nextId = () => ids.prefixed('dis')
    await replaceDiscrepancies(db, { siteId, kind, found, nextId, now: clock.now() })
  }
}

/** Whether a generation was read for the URL that the site has now; links to it tell page addresses. */
function isReadFor(site: Site, generation: IndexGeneration | null): generation is IndexGeneration {
  return generation !== null && (generation.selfCheck ?? { siteUrl: site.baseUrl }).siteUrl === site.baseUrl
}

/** The index in service, whose rows of unchanged pages are reused. */
interface PreviousIndex {
  /** Null if it cannot be read: everything is analyzed again, which only takes longer. */
  file: string | null
  /** A damaged or missing index is rebuilt even if its source has not changed. */
  isWhole: boolean
}

const none: PreviousIndex = { file: null, isWhole: false }

async function placePrevious(
  { indexCache, indexFolder, log }: SyncSiteDeps,
  { current, run }: { current: IndexGeneration; run: IndexRun },
  signal: AbortSignal,
): Promise<PreviousIndex> {
  const { siteId } = current
  try {
    const file = indexCache === undefined ? join(indexFolder, current.file) : await indexCache.bring(current)
    if (!(await hasItsDigest(file))) throw new Error('The checksum of the index does not match.')
    // Other processes may have found damage that this machine does not have. Only explicit runs read everything.
    if (run.cause === 'sync-requested' && (await indexCache?.isSharedWhole(current, signal)) === false) {
      throw new Error('The shared copy of the index is damaged or missing.')
    }
    return { file, isWhole: true }
  } catch (error) {
    log.warn({ siteId, error }, 'previous-index-unusable')
    if (error instanceof IndexUnavailableError) return { file: null, isWhole: true }
    await indexCache?.discard(current)
    return none
  }
}

interface FetchSourceInput {
  site: Site
  run: IndexRun
  onProgress(progress: IndexRunProgress): void
}

/** Makes the source available on this machine: fetches a remote repository into its mirror, crawls a published site. */
async function fetchSource(deps: SyncSiteDeps, input: FetchSourceInput, signal: AbortSignal): Promise<SiteSource> {
  const { site, onProgress } = input
  if (site.source.kind === 'crawl') {
    const note = (pagesDone: number, pagesTotal: number) => onProgress({ step: 'fetching', pagesDone, pagesTotal })
    return crawlSource(deps, input, { signal, onProgress: note })
  }
  const remote = await openRemoteSource(deps, site, signal)
  if (remote === null) return resolveBuiltinSource(deps, site.source, signal)
  const { repository, revision } = await deps.mirrors.fetch(remote, signal)
  return { ...site.source, kind: 'git', location: repository, ref: revision }
}

/** Recorded so that checks for changes do not retry a revision that failed. A lost record costs one more attempt. */
async function recordRevision({ store }: SyncSiteDeps, { id, attempt }: IndexRun, revision: string): Promise<void> {
  await reportIndexRun(store.relaxed, { id, attempt, revision }).catch(() => {})
}

/** Answers that began on a replaced index may still read it, so it is removed some time later. */
async function removeOldGenerations({ store, clock, indexFolder, log }: SyncSiteDeps, siteId: string): Promise<void> {
  const generations = await listIndexGenerations(store.durable, siteId, 1_000)
  const replacedBefore = clock.now() - 2 * replacedIndexKeptMs
  // A generation was replaced when the next newer one was created.
  const keep = generations.findIndex((_, index) => (generations[index - 1]?.createdAt ?? Infinity) < replacedBefore)
  if (keep === -1) return
  // Newer ones may wait for their owner.
  const served = generations.findIndex(({ isWaiting }) => !isWaiting)
  const files = await removeOldIndexGenerations(store.durable, siteId, Math.max(generationsKept, keep, served + 1))
  const names = files.flatMap((file) => [file, nameVectorFile(file)])
  await Promise.all(names.map((name) => rm(join(indexFolder, name), { force: true })))
  if (files.length > 0) log.info({ siteId, files: files.length }, 'generations-removed')
}

/** Shortest time between two reports of the same step: people read no faster, and each one is a write. */
const intervalMs = 250

/**
 * Creates a function that records the progress of a run, at most four times a second. Failed writes are ignored: the
 * run continues.
 */
function createProgressReporter(
  { store, clock }: StoreDeps,
  { id, attempt }: Claim,
): (progress: IndexRunProgress) => void {
  let step: IndexRunProgress['step'] | null = null
  let nextAt = 0
  return (progress) => {
    const now = clock.now()
    if (progress.step === step && now < nextAt) return
    step = progress.step
    nextAt = now + intervalMs
    reportIndexRun(store.relaxed, { id, attempt, progress }).catch(() => {})
  }
}

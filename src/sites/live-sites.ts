import { isRecent } from '../base/is-recent.ts'
import { AppError } from '../contract/app-error.ts'
import { isRepositoryKind } from '../contract/code-hosts.ts'
import type { SearchEngine } from '../search/search-engine.ts'
import type { IndexReadError } from '../search/index-file/index-read-error.ts'
import type { SearchIndex } from '../search/search-query.ts'
import { listOpenDiscrepancies, type OpenDiscrepancy } from '../store/discrepancies/discrepancies.ts'
import {
  getCurrentIndexGeneration,
  getIndexGeneration,
  getServedIndexGeneration,
  type IndexGeneration,
} from '../store/sites/index-generations.ts'
import { getIndexGuidance, type SiteGuidance } from '../store/sites/index-guidance.ts'
import { getSite, getSiteByDomain, listSites, type Site } from '../store/sites/sites.ts'
import type { StoreDeps } from '../store/store-deps.ts'
import { GuardedIndex } from './indexing/guarded-index.ts'
import { type IndexCache, IndexUnavailableError, indexHeldMs, isBlobFault } from './indexing/index-cache.ts'
import type { IndexRepairs } from './indexing/index-repairs.ts'
import { IndexDamagedError, OpenIndexFile } from './indexing/open-index-file.ts'
import type { SiteSecrets } from './site-secrets.ts'
import { nameCommand } from '../config/name-command.ts'
import { pagesUrl } from './site-url.ts'

/** A site as served now: its record and the open index of its newest generation. */
export interface LiveSite extends Pick<Site, 'id' | 'slug' | 'projectId' | 'settings'> {
  name: string
  /** Base URL of the site for readers, without a trailing slash; page paths are appended to it. */
  url: string
  generation: IndexGeneration
  /** The commit that it was built from; null if its source is not a repository. */
  commit: string | null
  /** The owner's instructions for the assistant, from the source of this generation. */
  guidance: SiteGuidance
  /** What is known to be false on its pages. */
  discrepancies: readonly OpenDiscrepancy[]
  index: SearchIndex
}

export interface LiveSitesDeps extends StoreDeps {
  search: SearchEngine
  secrets: SiteSecrets
  /** Folder of the index files. */
  indexFolder: string
  /** Set when several processes share a database but no folder; otherwise the folder holds every index. */
  indexCache?: IndexCache | undefined
  /** Whether searches use an index's vectors. */
  usesVectors?: boolean
  baseUrl: string
  /** Requests the rebuild of an index that is missing, damaged or of another version. */
  repairs: Pick<IndexRepairs, 'ask' | 'forget'>
  /** Called when the vectors beside an index are damaged or missing. */
  onVectorsLost?: (generation: IndexGeneration) => void
}

/** How long a lookup is cached; changes made by other processes show after this time. */
const believedMs = 1_000

/** Bounds the memory that a flood of invented domains can take. */
const domainsMax = 10_000

/**
 * How long a replaced index stays open for the answers that began on it; no answer runs longer. Its file stays on disk
 * until the worker removes old generations, which takes longer still.
 */
export const replacedIndexKeptMs = indexHeldMs

/** Longest time to fetch indexes before reporting ready; the rest is fetched on demand. */
const warmMsMax = 60_000

/** Longest time that a probe waits for the index of one site. */
const probeMsMax = 3_000

/** Most sites listed by a probe when none is available. */
const faultsMax = 20

type KnownSite = Pick<Site, 'id' | 'slug'>

interface OpenIndex {
  site: KnownSite
  generation: IndexGeneration
  file: Promise<OpenIndexFile>
}

interface KnownGuidance {
  generationId: string
  guidance: SiteGuidance
}

/** Finds sites by domain and keeps the index of their newest generation open. */
export class LiveSites {
  readonly #deps: LiveSitesDeps
  readonly #lookups = new Map<string, { at: number; result: Promise<LiveSite | null> }>()
  readonly #indexes = new Map<string, OpenIndex>()
  readonly #guidance = new Map<string, KnownGuidance>()
  /** Last result per domain, served while the database is unavailable. */
  readonly #found = new Map<string, LiveSite>()
  /** Sites whose index is damaged or missing, with a sentence about it. */
  readonly #faults = new Map<string, { slug: string; sentence: string }>()
  readonly #guarded = new WeakMap<OpenIndexFile, GuardedIndex>()
  #isWarming = false

  constructor(deps: LiveSitesDeps) {
    this.#deps = deps
    deps.indexCache?.onRemove((file) => this.#closeRemoved(file))
  }

  /** Whether the indexes are being fetched for the first time; `listFaults` does not report that. */
  get isWarming(): boolean {
    return this.#isWarming
  }

  /**
   * Fetches the indexes of all sites, as far as they fit on the disk, before a process reports ready. Those that fail
   * are fetched again on demand.
   */
  async warm(): Promise<void> {
    const { indexCache, store } = this.#deps
    if (indexCache === undefined) return
    this.#isWarming = true
    const deadline = performance.now() + warmMsMax
    try {
      await indexCache.removeUnnamed()
      const { items } = await listSites(store.durable, { limit: 1_000, cursor: null })
      for (const { id } of items) {
        if (performance.now() > deadline || (await indexCache.measure()) > indexCache.bytesMax) return
        const generation = await getServedIndexGeneration(store.durable, id)
        if (generation !== null) await indexCache.bring(generation).catch(() => undefined)
      }
    } finally {
      this.#isWarming = false
    }
  }

  /**
   * @param domain Slug or registered host name.
   * @returns Null if there is no such site.
   * @throws {AppError} `site_not_ready` (503) if it has never been indexed, `site_not_confirmed` (503) if it waits for
   *   its owner.
   */
  find(domain: string): Promise<LiveSite | null> {
    const now = this.#deps.clock.now()
    const known = this.#lookups.get(domain)
    if (known !== undefined && isRecent(known.at, believedMs, now)) return known.result
    const result = this.#read(domain).then(
      (site) => this.#note(domain, site),
      (error: unknown) => this.#recall(domain, error),
    )
    if (this.#lookups.size >= domainsMax) this.#lookups.clear()
    this.#lookups.set(domain, { at: now, result })
    // Failures are not cached: the next request tries again.
    result.catch(() => this.#lookups.delete(domain))
    return result
  }

  #note(domain: string, site: LiveSite | null): LiveSite | null {
    if (this.#found.size >= domainsMax) this.#found.clear()
    if (site === null) this.#found.delete(domain)
    else this.#found.set(domain, site)
    return site
  }

  /** While the database is down, this process cannot learn of changes, so it continues with the indexes it has open. */
  async #recall(domain: string, error: unknown): Promise<LiveSite> {
    const site = this.#found.get(domain)
    const isOutage = error instanceof AppError && error.code === 'database_unavailable'
    const open = site === undefined || !isOutage ? undefined : this.#indexes.get(site.id)
    if (site === undefined || open?.generation.id !== site.generation.id) throw error
    return site
  }

  /** Clears the lookup cache, so that a change made here applies from the next request on. */
  forget(): void {
    this.#lookups.clear()
  }

  /** Closes the index of a deleted site once the answers that began on it have ended. */
  drop(siteId: string): void {
    this.forget()
    const open = this.#indexes.get(siteId)
    this.#indexes.delete(siteId)
    this.#faults.delete(siteId)
    if (open !== undefined) this.#closeLater(open)
  }

  /**
   * Why no site can answer, one sentence each; empty if at least one can, or if there are no sites. A new or broken
   * site does not make the service unready while another one works.
   */
  async listFaults(): Promise<string[]> {
    const { items } = await listSites(this.#deps.store.durable, { limit: 1_000, cursor: null })
    const isOpen = ({ id }: Site) => Number(this.#indexes.has(id))
    const faults: string[] = []
    for (const { slug } of items.toSorted((one, other) => isOpen(other) - isOpen(one))) {
      const fault = await this.#readFault(slug)
      if (fault === null) return []
      faults.push(fault)
    }
    return faults.slice(0, faultsMax)
  }

  /** The known fault of a site's index in this process, or null. */
  findIndexFault(siteId: string): string | null {
    return this.#faults.get(siteId)?.sentence ?? null
  }

  /** Checks the index of every site in use, so that damage is repaired before a reader hits it. */
  async check(): Promise<void> {
    const open = this.#indexes.values().map(({ site }) => site.slug)
    const slugs = new Set([...open, ...this.#faults.values().map(({ slug }) => slug)])
    for (const slug of slugs) await this.find(slug).catch(() => undefined)
  }

  /**
   * The secret that signs reader identities for a site. @throws {AppError} `reader_identity_invalid` if it has none.
   */
  async identitySecret(siteId: string): Promise<string> {
    const site = await getSite(this.#deps.store.durable, siteId)
    const sealed = site?.identitySecretSealed ?? null
    if (sealed === null) {
      throw new AppError(
        'reader_identity_invalid',
        `This site does not accept signed identities yet. Leave out X-Docent-Identity, or create a secret with: ${nameCommand('site identity-secret SITE')}`,
      )
    }
    return this.#deps.secrets.openIdentity(siteId, sealed)
  }

  /**
   * Opens the index of an earlier generation while it is used.
   *
   * @param use Receives the site with that index, or null if the index is gone.
   */
  async withGeneration<T>(current: LiveSite, id: string, use: (site: LiveSite | null) => Promise<T>): Promise<T> {
    if (id === current.generation.id) return use(current)
    const { durable } = this.#deps.store
    const generation = await getIndexGeneration(durable, current.id, id)
    const file = generation && (await this.#openFile(generation).catch(() => null))
    if (generation === null || file === null) return use(null)
    try {
      const commit = current.commit === null ? null : generation.revision
      const guidance = await getIndexGuidance(durable, id)
      return await use({ ...current, generation, commit, guidance, index: file.index })
    } finally {
      await file.close()
    }
  }

  async #read(domain: string): Promise<LiveSite | null> {
    const site = await getSiteByDomain(this.#deps.store.durable, domain)
    if (site === null) return null
    const newest = await getServedIndexGeneration(this.#deps.store.durable, site.id)
    if (newest === null) return this.#refuseUnserved(site)
    const { generation, file } = await this.#openWhole(site, await this.#choose(site.id, newest))
    const guidance = await this.#readGuidance(site.id, generation)
    const discrepancies = await listOpenDiscrepancies(this.#deps.store.durable, site.id)
    const { id, slug, projectId, settings, name } = site
    const index = this.#guard(site, file)
    const url = pagesUrl(site, this.#deps.baseUrl, index.header.basePath)
    const commit = isRepositoryKind(site.source.kind) ? generation.revision : null
    return { id, slug, projectId, settings, name, url, generation, commit, guidance, discrepancies, index }
  }

  async #refuseUnserved({ id, slug }: Site): Promise<never> {
    const isWaiting = (await getCurrentIndexGeneration(this.#deps.store.durable, id)) !== null
    if (!isWaiting) {
      throw new AppError('site_not_ready', `The site ${slug} has not been indexed yet. Try again in a moment.`)
    }
    throw new AppError(
      'site_not_confirmed',
      `The site ${slug} is not live yet: its owner must confirm the addresses of its pages.`,
    )
  }

  /** One per open file, because state about an index is keyed by it. */
  #guard({ id, slug }: KnownSite, file: OpenIndexFile): GuardedIndex {
    const known = this.#guarded.get(file)
    if (known !== undefined) return known
    const guarded = new GuardedIndex(file.index, (failed, error) => this.#recover({ id, slug }, failed, error))
    this.#guarded.set(file, guarded)
    return guarded
  }

  async #readFault(slug: string): Promise<string | null> {
    const signal = AbortSignal.timeout(probeMsMax)
    const tooLong = new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => resolve(`The index of the site ${slug} is being opened.`), { once: true })
    })
    const found = this.find(slug).then(
      (site) => (site === null ? `The site ${slug} was removed.` : null),
      (error: unknown) => (isUnconfirmed(error) ? null : error instanceof Error ? error.message : String(error)),
    )
    return Promise.race([found, tooLong])
  }

  async #readGuidance(siteId: string, { id: generationId }: IndexGeneration): Promise<SiteGuidance> {
    const known = this.#guidance.get(siteId)
    if (known?.generationId === generationId) return known.guidance
    const guidance = await getIndexGuidance(this.#deps.store.durable, generationId)
    this.#guidance.set(siteId, { generationId, guidance })
    return guidance
  }

  /** Files that changed since they were opened are no longer searched. */
  async #openWhole(
    site: Site,
    generation: IndexGeneration,
  ): Promise<{ generation: IndexGeneration; file: OpenIndexFile }> {
    const open = this.#openIndex(site, generation)
    const file = await open.file.catch((error: unknown) => this.#refuse(site, error))
    const state = await file.check()
    if (state === 'damaged') {
      this.#lose(open)
      const again = this.#openIndex(site, generation)
      return { generation, file: await again.file.catch((error: unknown) => this.#refuse(site, error)) }
    }
    if (state === 'whole') this.#recordWhole(site.id)
    else this.#recordUnnamed(site, open.generation)
    return { generation: open.generation, file }
  }

  /** @returns The open index of this generation, or of a newer one opened by a concurrent lookup. */
  #openIndex({ id, slug }: KnownSite, generation: IndexGeneration): OpenIndex {
    const before = this.#indexes.get(id)
    if (before !== undefined && before.generation.number >= generation.number) return before
    const open = { site: { id, slug }, generation, file: this.#openFile(generation) }
    this.#indexes.set(id, open)
    open.file.then(
      () => before && this.#closeLater(before),
      () => this.#forgetOpen(open),
    )
    return open
  }

  #forgetOpen(open: OpenIndex): void {
    if (this.#indexes.get(open.site.id) === open) this.#indexes.delete(open.site.id)
  }

  /** Closes an index immediately; searches in progress are retried. */
  #lose(open: OpenIndex): void {
    this.#forgetOpen(open)
    this.forget()
    open.file.then((file) => file.close()).catch(() => undefined)
  }

  async #recover(site: KnownSite, failed: SearchIndex, error: IndexReadError): Promise<SearchIndex> {
    const open = this.#indexes.get(site.id)
    const file = await open?.file.catch(() => undefined)
    if (open !== undefined && file?.index === failed) {
      const state = await file.check(true)
      if (state === 'whole' && error.fault !== 'lost') throw error
      this.#lose(open)
    }
    this.forget()
    if ((await this.find(site.slug)) === null) {
      throw new AppError('site_not_found', `The site ${site.slug} was removed meanwhile.`)
    }
    const served = await this.#indexes.get(site.id)?.file
    if (served === undefined) throw error
    return served.index
  }

  #recordWhole(siteId: string): void {
    this.#faults.delete(siteId)
    this.#deps.repairs.forget(siteId)
  }

  /** Readers notice nothing, but the next start would not find the file. */
  #recordUnnamed(site: KnownSite, generation: IndexGeneration): void {
    const { indexCache, repairs } = this.#deps
    const sentence = `The index file of the site ${site.slug} is missing or cannot be opened. It is being rebuilt.`
    this.#faults.set(site.id, { slug: site.slug, sentence })
    if (indexCache === undefined) void repairs.ask(site.id, new IndexDamagedError(sentence))
    else void this.#fetchSoon(site.id, generation, indexCache)
  }

  /** Chooses the newest generation, or the open one while the newest is being fetched, so that no reader waits. */
  async #choose(siteId: string, newest: IndexGeneration): Promise<IndexGeneration> {
    const { indexCache, usesVectors = false } = this.#deps
    const open = this.#indexes.get(siteId)
    if (indexCache === undefined) return newest
    const isElsewhere = open !== undefined && open.generation.id !== newest.id && !(await indexCache.has(newest))
    if (isElsewhere) void this.#fetchSoon(siteId, newest, indexCache)
    const chosen = isElsewhere ? open.generation : newest
    indexCache.use(chosen.file)
    if (usesVectors) void indexCache.fetchVectors(chosen)
    return chosen
  }

  /**
   * A generation that no process has any more is rebuilt; one that is unavailable is fetched again at the next lookup.
   */
  async #fetchSoon(siteId: string, newest: IndexGeneration, indexCache: IndexCache): Promise<void> {
    try {
      await indexCache.bring(newest)
      if (!(await indexCache.has(newest))) throw new Error('The index was made by a process that shares none.')
    } catch (error) {
      if (!(error instanceof IndexUnavailableError)) void this.#deps.repairs.ask(siteId, error)
    }
  }

  async #openFile(generation: IndexGeneration): Promise<OpenIndexFile> {
    const { indexCache, indexFolder } = this.#deps
    if (indexCache === undefined) return this.#openPath(generation, `${indexFolder}/${generation.file}`)
    try {
      return await this.#openPath(generation, await indexCache.bring(generation))
    } catch (error) {
      if (!(error instanceof IndexDamagedError)) throw error
      // Possibly damaged only on this machine.
      await indexCache.discard(generation)
      return this.#openPath(generation, await indexCache.bring(generation))
    }
  }

  #openPath(generation: IndexGeneration, path: string): Promise<OpenIndexFile> {
    const { search, onVectorsLost } = this.#deps
    const hooks = { payer: generation.siteId, onVectorsLost: () => onVectorsLost?.(generation) }
    return OpenIndexFile.open(search, path, hooks)
  }

  #refuse({ id, slug }: Site, error: unknown): never {
    const isDamaged = error instanceof IndexDamagedError || isBlobFault(error)
    const sentence = isDamaged
      ? `The index of the site ${slug} is damaged and is being rebuilt. Try again in a moment.`
      : `The index of the site ${slug} cannot be opened right now. Try again in a moment.`
    this.#faults.set(id, { slug, sentence })
    if (isDamaged) void this.#deps.repairs.ask(id, error)
    throw new AppError('site_not_ready', sentence, { cause: error })
  }

  #closeLater({ file, generation }: OpenIndex): void {
    const close = async () => {
      await file.then((opened) => opened.close())
      const isServed = this.#indexes.values().some((open) => open.generation.file === generation.file)
      if (!isServed) await this.#deps.indexCache?.drop(generation.file)
    }
    setTimeout(() => void close().catch(() => undefined), replacedIndexKeptMs).unref()
  }

  #closeRemoved(file: string): void {
    for (const open of this.#indexes.values()) if (open.generation.file === file) this.#lose(open)
  }
}

/** Not a fault: the owner decides, and may need the dashboard for it, which no unready service shows. */
function isUnconfirmed(error: unknown): boolean {
  return error instanceof AppError && error.code === 'site_not_confirmed'
}

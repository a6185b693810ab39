import { isRecent } from '../base/is-recent.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import type { SearchEngine } from '../search/search-engine.ts'
import type { IndexReadError } from '../search/index-file/index-read-error.ts'
import type { SearchIndex } from '../search/search-query.ts'
import { getCurrentIndexGeneration, type IndexGeneration } from '../store/sites/index-generations.ts'
import { getIndexGuidance, type SiteGuidance } from '../store/sites/index-guidance.ts'
import { getSite, getSiteByDomain, listSites, type Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { GuardedIndex } from './indexing/guarded-index.ts'
import { type IndexCache, IndexUnavailableError, indexHeldMs, isBlobFault } from './indexing/index-cache.ts'
import type { IndexRepairs } from './indexing/index-repairs.ts'
import { IndexDamagedError, OpenIndexFile } from './indexing/open-index-file.ts'
import type { SiteSecrets } from './site-secrets.ts'
import { nameCommand } from '../config/name-command.ts'
import { pagesUrl } from './site-url.ts'

/** A site as it is served now: its record and the open index of its newest generation. */
export interface LiveSite extends Pick<Site, 'id' | 'slug' | 'projectId' | 'settings'> {
  name: string
  /** Where readers find the site, without a slash at the end: the address of a page is this and its path. */
  url: string
  generation: IndexGeneration
  /** What the owner tells the assistant in the source of this generation. */
  guidance: SiteGuidance
  index: SearchIndex
}

export interface LiveSitesDeps {
  store: Store
  clock: Clock
  search: SearchEngine
  secrets: SiteSecrets
  /** The folder of the index files. */
  indexFolder: string
  /** Where several processes share a database and no folder; absent where the folder holds every index. */
  indexCache?: IndexCache | undefined
  /** Whether searches use the vectors of an index. */
  usesVectors?: boolean
  baseUrl: string
  /** Requests the rebuild of an index that is missing, damaged or of another version. */
  repairs: Pick<IndexRepairs, 'ask' | 'forget'>
  /** Called when the vectors beside an index are damaged or missing. */
  onVectorsLost?: (generation: IndexGeneration) => void
}

/** How long a look-up is believed: changes made by another process are seen within this time. */
const believedMs = 1_000

/** Bounds the memory that a flood of invented domains can take. */
const domainsMax = 10_000

/**
 * A replaced index stays open this long, for the answers that began on it: no answer runs longer. Its file stays on the
 * disk until the worker removes old generations, which takes longer still.
 */
export const replacedIndexKeptMs = indexHeldMs

/** Longest time that a process fetches indexes before it says that it is ready: the rest is fetched when it is asked for. */
const warmMsMax = 60_000

/** Longest time that a probe waits for the index of one site. */
const probeMsMax = 3_000

/** Sites that a probe names when none can be asked. */
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
  /** What was found last, by domain, for as long as the database does not answer. */
  readonly #found = new Map<string, LiveSite>()
  /** Sites whose index is damaged or gone, and a sentence about it. */
  readonly #faults = new Map<string, { slug: string; sentence: string }>()
  readonly #guarded = new WeakMap<OpenIndexFile, GuardedIndex>()
  #isWarming = false

  constructor(deps: LiveSitesDeps) {
    this.#deps = deps
    deps.indexCache?.onRemove((file) => this.#closeRemoved(file))
  }

  /** Whether the indexes are being fetched for the first time; `listFaults` does not tell of that. */
  get isWarming(): boolean {
    return this.#isWarming
  }

  /**
   * Fetches the indexes of all sites, as far as they fit on the disk, before a process says that it is ready. What
   * cannot be fetched is tried again when it is asked for.
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
        const generation = await getCurrentIndexGeneration(store.durable, id)
        if (generation !== null) await indexCache.bring(generation).catch(() => undefined)
      }
    } finally {
      this.#isWarming = false
    }
  }

  /**
   * @param domain Slug or registered host name.
   * @returns Null when there is no such site.
   * @throws {AppError} `site_not_ready` (503) when it has never been indexed.
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
    // A failure is not remembered: the next request asks again.
    result.catch(() => this.#lookups.delete(domain))
    return result
  }

  #note(domain: string, site: LiveSite | null): LiveSite | null {
    if (this.#found.size >= domainsMax) this.#found.clear()
    if (site === null) this.#found.delete(domain)
    else this.#found.set(domain, site)
    return site
  }

  /** While the database does not answer, nothing can have changed that this process would know of: what is open goes on. */
  async #recall(domain: string, error: unknown): Promise<LiveSite> {
    const site = this.#found.get(domain)
    const isOutage = error instanceof AppError && error.code === 'database_unavailable'
    const open = site === undefined || !isOutage ? undefined : this.#indexes.get(site.id)
    if (site === undefined || open?.generation.id !== site.generation.id) throw error
    return site
  }

  /** Forgets what is remembered, so that a change made here holds from the next request on. */
  forget(): void {
    this.#lookups.clear()
  }

  /** Lets go of the index of a site that was removed, once the answers that began on it have ended. */
  drop(siteId: string): void {
    this.forget()
    const open = this.#indexes.get(siteId)
    this.#indexes.delete(siteId)
    this.#faults.delete(siteId)
    if (open !== undefined) this.#closeLater(open)
  }

  /**
   * Why no site can answer, one sentence each; empty while one can, or if there are no sites. A new or broken site does
   * not make the service unready while another can answer.
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

  /** The secret that signs the identities of a site's readers. @throws {AppError} `reader_identity_invalid` when it has none. */
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

  async #read(domain: string): Promise<LiveSite | null> {
    const site = await getSiteByDomain(this.#deps.store.durable, domain)
    if (site === null) return null
    const newest = await getCurrentIndexGeneration(this.#deps.store.durable, site.id)
    if (newest === null) {
      throw new AppError('site_not_ready', `The site ${site.slug} has not been indexed yet. Try again in a moment.`)
    }
    const { generation, file } = await this.#openWhole(site, await this.#choose(site.id, newest))
    const guidance = await this.#readGuidance(site.id, generation)
    const { id, slug, projectId, settings, name } = site
    const index = this.#guard(site, file)
    const url = pagesUrl(site, this.#deps.baseUrl, index.header.basePath)
    return { id, slug, projectId, settings, name, url, generation, guidance, index }
  }

  /** One per open file: state about an index is keyed by it. */
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
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
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

  /** A file that changed since it was opened is no longer searched. */
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
    if (state === 'whole') this.#noteWhole(site.id)
    else this.#noteUnnamed(site, open.generation)
    return { generation: open.generation, file }
  }

  /** @returns The open index of the generation, or of a newer one that another look-up has opened meanwhile. */
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

  /** Closes an index at once; searches in progress are retried. */
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

  #noteWhole(siteId: string): void {
    this.#faults.delete(siteId)
    this.#deps.repairs.forget(siteId)
  }

  /** Readers notice nothing, but the next start would not find the file. */
  #noteUnnamed(site: KnownSite, generation: IndexGeneration): void {
    const { indexCache, repairs } = this.#deps
    const sentence = `The index file of the site ${site.slug} is missing or cannot be opened. It is being rebuilt.`
    this.#faults.set(site.id, { slug: site.slug, sentence })
    if (indexCache === undefined) void repairs.ask(site.id, new IndexDamagedError(sentence))
    else void this.#fetchSoon(site.id, generation, indexCache)
  }

  /** The newest generation; the one before while the newest is being fetched, for which no reader waits. */
  async #choose(siteId: string, newest: IndexGeneration): Promise<IndexGeneration> {
    const { indexCache, usesVectors = false } = this.#deps
    const open = this.#indexes.get(siteId)
    if (indexCache === undefined) return newest
    const isElsewhere = open !== undefined && open.generation.id !== newest.id && !(await indexCache.has(newest))
    if (isElsewhere) void this.#fetchSoon(siteId, newest, indexCache)
    const chosen = isElsewhere ? open.generation : newest
    indexCache.use(chosen.file)
    if (usesVectors) void indexCache.bringVectors(chosen)
    return chosen
  }

  /** One that nobody has any more is built again; one that cannot be fetched now is tried again at the next look-up. */
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
      // It may be damaged on this machine alone.
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

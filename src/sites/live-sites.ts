import { isRecent } from '../base/is-recent.ts'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import type { SearchEngine } from '../search/search-engine.ts'
import type { SearchIndex } from '../search/search-query.ts'
import { getCurrentIndexGeneration, type IndexGeneration } from '../store/index-generations.ts'
import { getIndexGuidance, type SiteGuidance } from '../store/index-guidance.ts'
import { getSite, getSiteByDomain, listSites, type Site } from '../store/sites.ts'
import type { Store } from '../store/store.ts'
import { pagesUrl } from './site-url.ts'
import { type IndexCache, IndexUnavailableError, indexHeldMs } from './index-cache.ts'
import type { SiteSecrets } from './site-secrets.ts'
import { nameCommand } from '../config/name-command.ts'

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
  /** Called when the index of a site cannot be opened: it is missing, damaged or of another version, and must be built again. */
  onUnreadable(siteId: string, error: unknown): void
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

interface OpenIndex {
  generation: IndexGeneration
  index: Promise<SearchIndex>
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
  #isWarming = false

  constructor(deps: LiveSitesDeps) {
    this.#deps = deps
    deps.indexCache?.onRemove((file) => this.#closeRemoved(file))
  }

  /** Whether the indexes are being fetched for the first time; `listUnready` does not tell of that. */
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
    if (open !== undefined) this.#closeLater(open)
  }

  /**
   * Slugs of the sites that have never been indexed, while no other can be asked. Next to one that can, a site that is
   * new or that cannot be read takes the service away from nobody.
   */
  async listUnready(): Promise<string[]> {
    const { items } = await listSites(this.#deps.store.durable, { limit: 1_000, cursor: null })
    const generations = await Promise.all(
      items.map(({ id }) => getCurrentIndexGeneration(this.#deps.store.durable, id)),
    )
    const unready = items.filter((_, index) => generations[index] === null).map(({ slug }) => slug)
    return unready.length === items.length ? unready : []
  }

  /** The secret that signs the identities of a site's readers. @throws {AppError} `reader_identity_invalid` when it has none. */
  async identitySecret(siteId: string): Promise<string> {
    const site = await getSite(this.#deps.store.durable, siteId)
    const sealed = site?.identitySecretSealed ?? null
    if (sealed === null) {
      throw new AppError(
        'reader_identity_invalid',
        `This site takes no signed identities yet. Leave out X-Docent-Identity, or make a secret with: ${nameCommand('site identity-secret SITE')}`,
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
    const open = this.#openIndex(site.id, await this.#choose(site.id, newest))
    const index = await open.index.catch((error: unknown) => this.#refuse(site, error))
    const { generation } = open
    const guidance = await this.#readGuidance(site.id, generation)
    const { id, slug, projectId, settings, name } = site
    const url = pagesUrl(site, this.#deps.baseUrl, index.header.basePath)
    return { id, slug, projectId, settings, name, url, generation, guidance, index }
  }

  async #readGuidance(siteId: string, { id: generationId }: IndexGeneration): Promise<SiteGuidance> {
    const known = this.#guidance.get(siteId)
    if (known?.generationId === generationId) return known.guidance
    const guidance = await getIndexGuidance(this.#deps.store.durable, generationId)
    this.#guidance.set(siteId, { generationId, guidance })
    return guidance
  }

  /** @returns The open index of the generation, or of a newer one that another look-up has opened meanwhile. */
  #openIndex(siteId: string, generation: IndexGeneration): OpenIndex {
    const before = this.#indexes.get(siteId)
    if (before !== undefined && before.generation.number >= generation.number) return before
    const open = { generation, index: this.#openFile(generation) }
    this.#indexes.set(siteId, open)
    open.index.then(
      () => before && this.#closeLater(before),
      () => this.#indexes.delete(siteId),
    )
    return open
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
      if (!(error instanceof IndexUnavailableError)) this.#deps.onUnreadable(siteId, error)
    }
  }

  async #openFile(generation: IndexGeneration): Promise<SearchIndex> {
    const { indexCache, indexFolder, search } = this.#deps
    if (indexCache === undefined) return search.open(`${indexFolder}/${generation.file}`, generation.siteId)
    try {
      return await search.open(await indexCache.bring(generation), generation.siteId)
    } catch (error) {
      if (error instanceof IndexUnavailableError) throw error
      // It may be damaged on this machine alone.
      await indexCache.discard(generation)
      return search.open(await indexCache.bring(generation), generation.siteId)
    }
  }

  #refuse({ id, slug }: Site, error: unknown): never {
    if (error instanceof IndexUnavailableError) {
      const message = `The index of the site ${slug} cannot be fetched right now. Try again in a moment.`
      throw new AppError('site_not_ready', message, { cause: error })
    }
    this.#deps.onUnreadable(id, error)
    throw new AppError('site_not_ready', `The index of the site ${slug} is being built again. Try again in a moment.`)
  }

  #closeLater({ index, generation }: OpenIndex): void {
    const close = async () => {
      await index.then((opened) => opened.close())
      const isServed = this.#indexes.values().some((open) => open.generation.file === generation.file)
      if (!isServed) await this.#deps.indexCache?.drop(generation.file)
    }
    setTimeout(() => void close().catch(() => undefined), replacedIndexKeptMs).unref()
  }

  #closeRemoved(file: string): void {
    for (const [siteId, { generation, index }] of this.#indexes) {
      if (generation.file !== file) continue
      this.#indexes.delete(siteId)
      index.then((opened) => opened.close()).catch(() => undefined)
    }
  }
}

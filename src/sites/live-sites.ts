import type { Clock } from '../base/clock.ts'
import { AppError } from '../contract/app-error.ts'
import type { SearchEngine } from '../search/search-engine.ts'
import type { SearchIndex } from '../search/search-query.ts'
import { getCurrentIndexGeneration, type IndexGeneration } from '../store/index-generations.ts'
import { getIndexGuidance, type SiteGuidance } from '../store/index-guidance.ts'
import { getSite, getSiteByDomain, listSites, type Site } from '../store/sites.ts'
import type { Store } from '../store/store.ts'
import { pagesUrl } from './site-url.ts'
import type { SiteSecrets } from './site-secrets.ts'

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
export const replacedIndexKeptMs = 15 * 60_000

interface OpenIndex {
  generationId: string
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

  constructor(deps: LiveSitesDeps) {
    this.#deps = deps
  }

  /**
   * @param domain Slug or registered host name.
   * @returns Null when there is no such site.
   * @throws {AppError} `site_not_ready` (503) when it has never been indexed.
   */
  find(domain: string): Promise<LiveSite | null> {
    const now = this.#deps.clock.now()
    const known = this.#lookups.get(domain)
    if (known !== undefined && now - known.at < believedMs) return known.result
    const result = this.#read(domain)
    if (this.#lookups.size >= domainsMax) this.#lookups.clear()
    this.#lookups.set(domain, { at: now, result })
    // A failure is not remembered: the next request asks again.
    result.catch(() => this.#lookups.delete(domain))
    return result
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

  /** Slugs of the sites that have never been indexed. */
  async listUnready(): Promise<string[]> {
    const { items } = await listSites(this.#deps.store.durable, { limit: 1_000, cursor: null })
    const generations = await Promise.all(
      items.map(({ id }) => getCurrentIndexGeneration(this.#deps.store.durable, id)),
    )
    return items.filter((_, index) => generations[index] === null).map(({ slug }) => slug)
  }

  /** The secret that signs the identities of a site's readers. @throws {AppError} `reader_identity_invalid` when it has none. */
  async identitySecret(siteId: string): Promise<string> {
    const site = await getSite(this.#deps.store.durable, siteId)
    const sealed = site?.identitySecretSealed ?? null
    if (sealed === null) {
      throw new AppError(
        'reader_identity_invalid',
        'This site takes no signed identities yet. Leave out X-Docent-Identity, or make a secret with: docent site identity-secret SITE',
      )
    }
    return this.#deps.secrets.openIdentity(siteId, sealed)
  }

  async #read(domain: string): Promise<LiveSite | null> {
    const site = await getSiteByDomain(this.#deps.store.durable, domain)
    if (site === null) return null
    const generation = await getCurrentIndexGeneration(this.#deps.store.durable, site.id)
    if (generation === null) {
      throw new AppError('site_not_ready', `The site ${site.slug} has not been indexed yet. Try again in a moment.`)
    }
    const index = await this.#openIndex(site.id, generation).catch((error: unknown) => {
      this.#deps.onUnreadable(site.id, error)
      throw new AppError(
        'site_not_ready',
        `The index of the site ${site.slug} is being built again. Try again in a moment.`,
      )
    })
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

  #openIndex(siteId: string, generation: IndexGeneration): Promise<SearchIndex> {
    const open = this.#indexes.get(siteId)
    if (open?.generationId === generation.id) return open.index
    const index = this.#deps.search.open(`${this.#deps.indexFolder}/${generation.file}`)
    this.#indexes.set(siteId, { generationId: generation.id, index })
    index.then(
      () => open && this.#closeLater(open),
      () => this.#indexes.delete(siteId),
    )
    return index
  }

  #closeLater(open: OpenIndex): void {
    const close = () => open.index.then((index) => index.close()).catch(() => undefined)
    setTimeout(() => void close(), replacedIndexKeptMs).unref()
  }
}

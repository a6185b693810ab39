import type { SearchResult } from '../contract/search.ts'
import type { LinkPolicy } from './inert-text.ts'
import { findSitePath } from './site-links.ts'

/** A page that an answer links to. */
export interface CitedPage {
  path: string
  title: string
  /** Absolute. */
  url: string
}

/** A page that may be cited. */
export type CitablePage = Pick<SearchResult, 'path'> & { metadata: Pick<SearchResult['metadata'], 'title'> }

/** Allows links to the pages that were retrieved for an answer, and notes which of them it cites, each once. */
export class CitedPages implements LinkPolicy {
  readonly #titles = new Map<string, string>()
  readonly #cited = new Map<string, CitedPage>()
  readonly #siteUrl: string
  #untold: CitedPage[] = []
  #isCiting = true

  constructor(siteUrl: string) {
    this.#siteUrl = siteUrl
  }

  /** Pages that may be cited from now on. The first passage of a page is its best one and names it. */
  addResults(results: readonly CitablePage[]): void {
    for (const { path, metadata } of results) if (!this.#titles.has(path)) this.#titles.set(path, metadata.title)
  }

  allow(target: string): string | null {
    const found = findSitePath(this.#siteUrl, target)
    return found !== null && this.#titles.has(found.path) ? found.target : null
  }

  onLink(target: string): void {
    const path = findSitePath(this.#siteUrl, target)?.path ?? ''
    const title = this.#titles.get(path)
    if (!this.#isCiting || title === undefined || this.#cited.has(path)) return
    const page = { path, title, url: this.#siteUrl + encodeURI(path) }
    this.#cited.set(path, page)
    this.#untold.push(page)
  }

  /** From now on links may stand in the text and are no sources: what is no answer comes from no page. */
  stopCiting(): void {
    this.#isCiting = false
  }

  /** @returns The pages that were cited for the first time since the last call. */
  takeNew(): CitedPage[] {
    const pages = this.#untold
    if (pages.length > 0) this.#untold = []
    return pages
  }

  isCited(path: string): boolean {
    return this.#cited.has(path)
  }

  /** In the order of their first citation. */
  get all(): CitedPage[] {
    return [...this.#cited.values()]
  }
}

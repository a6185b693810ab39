import type { LinkStyle } from '../contract/assistant-request.ts'
import { placeTarget } from '../sites/site-url.ts'
import { findSitePath, type SitePath } from './gate/site-links.ts'
import type { LinkPolicy } from './gate/text-escaper.ts'
import type { FoundPage } from './closing/suggested-pages.ts'

/** A page that an answer links to. */
export interface CitedPage {
  path: string
  title: string
  /** Absolute. */
  url: string
}

/** A page with the text of it that the model read. Search results have a score, 0 to 1. */
export interface ReadPage {
  path: string
  content: string
  metadata: { title: string; score?: number }
}

/** The pages that the model read for an answer. Allows links only to those, and records which are cited. */
export class AnswerPages implements LinkPolicy {
  readonly #siteUrl: string
  readonly #origin: string
  /** What links begin with: the URL of the site, or its path. */
  readonly #linkBase: string
  readonly #read = new Map<string, { title: string; text: string }>()
  readonly #found = new Map<string, FoundPage>()
  readonly #cited = new Map<string, CitedPage>()
  #newlyCited: CitedPage[] = []
  #isCiting = true

  constructor(siteUrl: string, links: LinkStyle) {
    this.#siteUrl = siteUrl
    const { origin, pathname } = new URL(siteUrl)
    this.#origin = origin
    this.#linkBase = links === 'absolute' ? siteUrl : pathname.replace(/\/$/, '')
  }

  /** Adds pages, which may be cited from now on. */
  add(pages: readonly ReadPage[]): void {
    for (const { path, metadata, content } of pages) {
      const { title, score } = metadata
      const known = this.#read.get(path)
      // The first passage of a page is its best one, and its title is used.
      this.#read.set(path, { title: known?.title ?? title, text: `${known?.text ?? title}\n${content}` })
      if (score !== undefined && !this.#found.has(path)) this.#found.set(path, { path, title, score })
    }
  }

  allow(target: string): string | null {
    const found = this.#findRead(target)
    return found && placeTarget(this.#linkBase, found.local)
  }

  onLink(target: string): void {
    const path = this.#findRead(target)?.path ?? ''
    const title = this.#read.get(path)?.title
    if (!this.#isCiting || title === undefined || this.#cited.has(path)) return
    const page = { path, title, url: this.#siteUrl + encodeURI(path) }
    this.#cited.set(path, page)
    this.#newlyCited.push(page)
  }

  /** Finds a page by its path, by its URL, or by the path of its URL, as earlier answers of a thread may link it. */
  #findRead(target: string): SitePath | null {
    const readings = [target, target.trim().replace(/^\//, `${this.#origin}/`)].map((written) =>
      findSitePath(this.#siteUrl, written),
    )
    return readings.find((found) => found !== null && this.#read.has(found.path)) ?? null
  }

  /** Links no longer count as sources: text that is not an answer has none. */
  stopCiting(): void {
    this.#isCiting = false
  }

  /** Takes back all citations but the first ones. */
  keepCited(count: number): void {
    for (const { path } of this.cited.slice(count)) this.#cited.delete(path)
    this.#newlyCited = []
    this.#isCiting = true
  }

  /** @returns The pages cited for the first time since the last call. */
  takeNewlyCited(): CitedPage[] {
    const pages = this.#newlyCited
    if (pages.length > 0) this.#newlyCited = []
    return pages
  }

  /** In the order of their first citation. */
  get cited(): CitedPage[] {
    return [...this.#cited.values()]
  }

  /** Titles and texts of the cited pages, as far as they were read. */
  get citedTexts(): string[] {
    return this.cited.map(({ path }) => this.#read.get(path)?.text ?? '')
  }

  /** Pages found by searches, best first. */
  get found(): FoundPage[] {
    return [...this.#found.values()]
  }

  get readPaths(): string[] {
    return [...this.#read.keys()]
  }
}

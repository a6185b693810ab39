import type { LinkStyle } from '../contract/assistant-request.ts'
import { placeTarget } from '../sites/site-url.ts'
import {
  AnswerCitations,
  type CitationEvent,
  type CitationMark,
  type CitedEdition,
} from './citations/answer-citations.ts'
import type { CitablePassage } from './citations/passage-text.ts'
import { findSitePath, type SitePath } from './gate/site-links.ts'
import type { LinkPolicy } from './gate/text-escaper.ts'
import type { FoundPage } from './closing/suggested-pages.ts'

/** A page with the text of it that the model read. Search results have a score, 0 to 1. */
export interface ReadPage {
  path: string
  content: string
  metadata: { title: string; score?: number }
  /** As the index has it, where it is one of its passages. */
  passage?: CitablePassage
}

type CitingMark = CitationMark & { linked: number }

/** The pages that the model read for an answer. Allows links only to those, and records which are linked and cited. */
export class AnswerPages implements LinkPolicy {
  readonly #siteUrl: string
  readonly #origin: string
  /** What links begin with: the URL of the site, or its path. */
  readonly #linkBase: string
  /** Kept as the passages hold them: joined, the texts would take the same memory again while the answer is open. */
  readonly #read = new Map<string, { title: string; texts: readonly string[] }>()
  readonly #found = new Map<string, FoundPage>()
  /** Anchors of the links to each linked page. */
  readonly #linked = new Map<string, string | null>()
  readonly citations: AnswerCitations
  #isCiting = true

  constructor(edition: CitedEdition, links: LinkStyle) {
    this.citations = new AnswerCitations(edition)
    this.#siteUrl = edition.url
    const { origin, pathname } = new URL(edition.url)
    this.#origin = origin
    this.#linkBase = links === 'absolute' ? edition.url : pathname.replace(/\/$/, '')
  }

  /** Adds pages, which may be cited from now on. @returns The number of each, by which the model may cite it. */
  add(pages: readonly ReadPage[]): number[] {
    return pages.map(({ path, metadata, content, passage }) => {
      const { title, score } = metadata
      const known = this.#read.get(path)
      // A passage from the middle of a section lacks its heading, by which an answer may name it.
      const texts = [...(known?.texts ?? [title]), ...(passage?.headings ?? []), content]
      // The first passage of a page is its best one, and its title is used.
      this.#read.set(path, { title: known?.title ?? title, texts })
      if (score !== undefined && !this.#found.has(path)) this.#found.set(path, { path, title, score })
      return this.citations.add(passage ?? { path, title, content, ...withoutPlace })
    })
  }

  allow(target: string): string | null {
    const found = this.#findRead(target)
    return found && placeTarget(this.#linkBase, found.local)
  }

  onLink(target: string): void {
    const found = this.#findRead(target)
    if (found === null || !this.#isCiting || this.#linked.has(found.path)) return
    this.#linked.set(found.path, readAnchor(found.local))
  }

  /** Finds a page by its path, by its URL, or by the path of its URL, as earlier answers of a thread may link it. */
  #findRead(target: string): SitePath | null {
    const readings = [target, target.trim().replace(/^\//, `${this.#origin}/`)].map((written) =>
      findSitePath(this.#siteUrl, written),
    )
    return readings.find((found) => found !== null && this.#read.has(found.path)) ?? null
  }

  /** Neither links nor sentences are sources any more: text that is not an answer has none. */
  stopCiting(): void {
    this.#isCiting = false
  }

  /** How far the answer has cited, for `restore`. */
  mark(): CitingMark {
    return { linked: this.#linked.size, ...this.citations.mark() }
  }

  /** Takes back what was linked and cited since. */
  restore({ linked, ...cited }: CitingMark): void {
    for (const path of [...this.#linked.keys()].slice(linked)) this.#linked.delete(path)
    this.citations.restore(cited)
    this.#isCiting = true
  }

  get isCiting(): boolean {
    return this.#isCiting
  }

  /** Names the linked pages of which no section is cited. @returns The events to send. */
  nameLinked(): CitationEvent[] {
    return [...this.#linked].flatMap(([path, anchor]) =>
      this.citations.nameLinked(path, this.#read.get(path)?.title ?? path, anchor),
    )
  }

  /** Titles, headings and texts of the cited pages, as far as they were read. */
  get citedTexts(): string[] {
    const paths = new Set(this.citations.sections.map(({ path }) => path))
    return [...paths].map((path) => this.#read.get(path)?.texts.join('\n') ?? '')
  }

  /** Pages found by searches, best first. */
  get found(): FoundPage[] {
    return [...this.#found.values()]
  }

  get readPaths(): string[] {
    return [...this.#read.keys()]
  }
}

/** An excerpt of a page, or all of it. */
const withoutPlace = { anchor: null, headings: [], version: null, language: null }

function readAnchor(target: string): string | null {
  const encoded = /#(.+)$/.exec(target)?.[1]
  if (encoded === undefined) return null
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

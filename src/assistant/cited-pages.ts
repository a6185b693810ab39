import type { SearchResult } from '../contract/search.ts'

/** A page that an answer links to. */
export interface CitedPage {
  path: string
  title: string
  /** Absolute. */
  url: string
}

/** The target of an inline link, up to what ends it. Titles after the target are not part of it. */
const linkTarget = /\]\(\s*<?([^\s)<>]+)>?[^)]*\)/g

/** Longest text in which one link can still be found whole. */
const tailCharsMax = 4_000

/**
 * Watches the text of an answer and tells, as soon as a link is complete, which retrieved page it cites: each page once.
 */
export class CitedPages {
  readonly #results = new Map<string, SearchResult>()
  readonly #cited = new Map<string, CitedPage>()
  readonly #siteUrl: string
  #tail = ''

  constructor(siteUrl: string) {
    this.#siteUrl = siteUrl
  }

  /** Pages that may be cited from now on. The first passage of a page is its best one and names it. */
  addResults(results: readonly SearchResult[]): void {
    for (const result of results) if (!this.#results.has(result.path)) this.#results.set(result.path, result)
  }

  /** @returns The pages that are cited for the first time by a link that ends in this text. */
  addText(text: string): CitedPage[] {
    this.#tail += text
    if (!text.includes(')')) return this.#trim([])
    const found: CitedPage[] = []
    let end = 0
    for (const match of this.#tail.matchAll(linkTarget)) {
      end = match.index + match[0].length
      const page = this.#resolve(match[1] ?? '')
      if (page === null || this.#cited.has(page.path)) continue
      this.#cited.set(page.path, page)
      found.push(page)
    }
    this.#tail = this.#tail.slice(end)
    return this.#trim(found)
  }

  /** In the order of their first citation. */
  get all(): CitedPage[] {
    return [...this.#cited.values()]
  }

  #trim(found: CitedPage[]): CitedPage[] {
    if (this.#tail.length > tailCharsMax) this.#tail = this.#tail.slice(-tailCharsMax)
    return found
  }

  #resolve(target: string): CitedPage | null {
    const local = target.startsWith(`${this.#siteUrl}/`) ? target.slice(this.#siteUrl.length) : target
    const path = decodePath(local.replace(/[?#].*$/, '').replace(/(?<=.)\/$/, ''))
    const result = this.#results.get(path)
    return result === undefined ? null : { path, title: result.metadata.title, url: this.#siteUrl + encodeURI(path) }
  }
}

function decodePath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

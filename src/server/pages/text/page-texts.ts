import { html } from 'hono/html'
import { showImages } from '../../../content/images/show-images.ts'
import { BoundedCache } from '../../../base/bounded-cache.ts'
import type { IndexedPage } from '../../../search/search-query.ts'
import { encodePath } from '../../../sites/agent-files/published-site.ts'
import type { LiveSite } from '../../../sites/live-sites.ts'
import type { Log } from '../../../telemetry/log.ts'
import type { MarkdownRenderer, RenderOutcome } from './markdown-renderer.ts'
import type { PageText } from './render-markdown.ts'
import { markdownPath, stripTitle } from '../render-site-page.ts'
import { siteBase } from '../site-path.ts'

/** A few hundred pages of typical length. */
const cachedCharsMax = 8_000_000
/** Longer pages are shown as plain Markdown: nobody reads them in a browser, and they would block all others. */
const renderedCharsMax = 1_000_000
/** A busy machine may take too long for any page. */
const attemptsMax = 3
const attemptsKept = 1_000

export interface PageTextsDeps {
  renderer: Pick<MarkdownRenderer, 'render'>
}

/** Renders the Markdown of pages as HTML, once per page and index generation. */
export class PageTexts {
  readonly #deps: PageTextsDeps
  readonly #texts = new BoundedCache<PageText>(cachedCharsMax)
  readonly #pending = new Map<string, Promise<PageText>>()
  /** How often a page was too costly. */
  readonly #attempts = new BoundedCache<number>(attemptsKept)

  constructor(deps: PageTextsDeps) {
    this.#deps = deps
  }

  /** @returns Plain Markdown if rendering would cost too much. */
  find(site: LiveSite, page: IndexedPage, log: Log): Promise<PageText> {
    const key = [site.generation.id, page.path, page.version, page.language].join('\n')
    const known = this.#texts.get(key)
    if (known !== undefined) return Promise.resolve(known)
    const pending = this.#pending.get(key)
    if (pending !== undefined) return pending
    const made = this.#make(key, site, page, log).finally(() => this.#pending.delete(key))
    this.#pending.set(key, made)
    return made
  }

  async #make(key: string, site: LiveSite, page: IndexedPage, log: Log): Promise<PageText> {
    const base = siteBase(site)
    const markdown = stripTitle({ ...page, markdown: showImages(page, (file) => `${base}/${encodePath(file)}`) })
    const outcome =
      markdown.length > renderedCharsMax
        ? ({ kind: 'too-costly' } as const)
        : await this.#deps.renderer.render({ markdown, base })
    if (outcome.kind !== 'rendered')
      log.warn({ siteId: site.id, path: page.path, outcome: outcome.kind }, 'page-not-rendered')
    const { html: shown, headings } =
      outcome.kind === 'rendered' ? outcome : { html: await writePlainly(site, page), headings: [] }
    const text = { html: shown, headings }
    if (!this.#isTriedAgain(key, outcome)) this.#texts.set(key, text, text.html.length + key.length)
    return text
  }

  #isTriedAgain(key: string, { kind }: RenderOutcome): boolean {
    if (kind !== 'too-costly') return kind === 'busy'
    const attempts = (this.#attempts.get(key) ?? 0) + 1
    this.#attempts.set(key, attempts, 1)
    return attempts < attemptsMax
  }
}

async function writePlainly(site: LiveSite, page: IndexedPage): Promise<string> {
  const shown = page.markdown.slice(0, renderedCharsMax)
  const markup = await html`<p>
      This page is shown as it is written. <a href="${markdownPath(site, page)}">Open it as Markdown</a>
    </p>
    <pre tabindex="0">${shown}</pre>`
  return String(markup)
}

import { html, raw } from 'hono/html'
import type { LiveSite } from '../../sites/live-sites.ts'
import { type ListedPage, sitePath } from './site-path.ts'

type Dimension = 'version' | 'language'

/** Links from a page to its counterparts in the other versions and languages of the site, as menus without a script. */
export function renderEditions(site: LiveSite, pages: readonly ListedPage[], current: ListedPage | null) {
  const { defaultVersion, defaultLanguage } = site.index.header
  const shown = {
    version: current?.version ?? defaultVersion,
    language: current?.language ?? defaultLanguage,
  }
  return (['version', 'language'] as const).map((dimension) => {
    const value = shown[dimension]
    const values = [...new Set(pages.flatMap((page) => page[dimension] ?? []))]
    if (value === null || values.length < 2) return ''
    const other = dimension === 'version' ? 'language' : 'version'
    const items = values.map((name) => {
      const within = pages.filter((page) => page[dimension] === name && (page[other] ?? shown[other]) === shown[other])
      const page = name === value ? current : findCounterpart(within, current)
      if (page === null) return ''
      const isCurrent = name === value ? raw('aria-current="true"') : ''
      return html`<li><a href="${sitePath(site, page.path)}" ${isCurrent}>${nameOf(dimension, name)}</a></li>`
    })
    return html`<details class="editions">
      <summary class="button">${nameOf(dimension, value)}</summary>
      <ul>
        ${items}
      </ul>
    </details>`
  })
}

/** Paths differ in the parts that name the edition, so the page with the longest common end is the same one. */
function findCounterpart(pages: readonly ListedPage[], current: ListedPage | null): ListedPage | null {
  const wanted = current?.path.split('/').toReversed() ?? []
  let best: { page: ListedPage; shared: number } | null = null
  for (const page of pages) {
    const parts = page.path.split('/').toReversed()
    const difference = parts.findIndex((part, place) => part !== wanted[place])
    const shared = difference < 0 ? parts.length : difference
    if (best === null ? page.isListed || shared > 0 : shared > best.shared) best = { page, shared }
  }
  return best?.page ?? null
}

/** Languages in their own words. */
function nameOf(dimension: Dimension, value: string): string {
  if (dimension === 'version') return value
  try {
    return new Intl.DisplayNames(value, { type: 'language' }).of(value) ?? value
  } catch {
    return value
  }
}

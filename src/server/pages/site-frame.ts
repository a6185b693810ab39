import { html } from 'hono/html'
import type { IndexedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { type Markup, renderFrame } from './page-frame.ts'

export type ListedPage = Omit<IndexedPage, 'markdown'>

export interface SiteFrame {
  site: LiveSite
  /** Public pages, in navigation order. */
  pages: readonly ListedPage[]
  /** The page being shown; null on our own pages, such as search results. */
  current: ListedPage | null
  title: string
  description?: string
  head?: Markup
  /** Value of the search field. */
  query?: string
  main: Markup
}

/** Longer navigation is shown in part: it would outweigh the text of every page. */
const navigationPagesMax = 400

/** Frame of a site's pages: name, search field, navigation. */
export function renderSiteFrame({ site, pages, current, title, description, head, query, main }: SiteFrame) {
  const base = siteBase(site)
  const siteName = siteNameOf(site)
  return renderFrame({
    language: current?.language ?? site.index.header.defaultLanguage ?? 'en',
    title: title === siteName ? title : `${title} · ${siteName}`,
    description: description ?? '',
    ...(head === undefined ? {} : { head }),
    header: html`<a class="name" href="${base}">${siteName}</a>
      <form class="search" role="search" action="${base}/search">
        <label for="search">Search</label>
        <input id="search" type="search" name="q" value="${query ?? ''}" maxlength="200" required />
        <button>Search</button>
      </form>
      <button id="ask" type="button" data-site="${site.slug}" ${linksOf(site)} hidden>Ask</button>
      <script type="module" src="/assets/ask.js"></script>`,
    navigationLabel: 'Pages',
    navigation: groupPages(choosePages(site, pages, current)).map((group) => renderGroup(group, base, current)),
    main,
  })
}

/** Where Docent serves the site, regardless of the site's own host. */
export function siteBase(site: Pick<LiveSite, 'slug'>): string {
  return `/sites/${site.slug}`
}

/**
 * Readers may reach Docent by another host than the configured one. On a site without a URL of its own, relative links
 * keep them there.
 */
function linksOf(site: LiveSite) {
  return new URL(site.url).pathname === siteBase(site) ? html`data-links="relative"` : ''
}

function siteNameOf(site: LiveSite): string {
  return site.index.header.siteName || site.name
}

export function sitePath(site: Pick<LiveSite, 'slug'>, path: string): string {
  return `${siteBase(site)}${path === '/' ? '' : encodeURI(path)}`
}

/**
 * Pages of the same version and language. If there are too many: those of the current section, and the first page of
 * each other section.
 */
function choosePages(site: LiveSite, pages: readonly ListedPage[], current: ListedPage | null): ListedPage[] {
  const { defaultVersion, defaultLanguage } = site.index.header
  const version = current?.version ?? defaultVersion
  const language = current?.language ?? defaultLanguage
  const listed = pages.filter(
    (page) => page.isListed && (page.version ?? version) === version && (page.language ?? language) === language,
  )
  if (listed.length <= navigationPagesMax) return listed
  const isHere = ({ section }: ListedPage) => current !== null && section[0] === current.section[0]
  const shown = listed.filter((page, place) => isHere(page) || page.section[0] !== listed[place - 1]?.section[0])
  return shown.slice(0, navigationPagesMax)
}

interface PageGroup {
  title: string
  pages: ListedPage[]
}

/** Groups adjacent pages that share their innermost container. */
function groupPages(pages: readonly ListedPage[]): PageGroup[] {
  const groups: PageGroup[] = []
  for (const page of pages) {
    const title = page.section.at(-1) ?? ''
    const last = groups.at(-1)
    if (last?.title === title) last.pages.push(page)
    else groups.push({ title, pages: [page] })
  }
  return groups
}

function renderGroup({ title, pages }: PageGroup, base: string, current: ListedPage | null) {
  const items = pages.map((page) => {
    const href = `${base}${page.path === '/' ? '' : encodeURI(page.path)}`
    return page.path === current?.path
      ? html`<li><a href="${href}" aria-current="page">${page.title}</a></li>`
      : html`<li><a href="${href}">${page.title}</a></li>`
  })
  return html`${title === '' ? '' : html`<h2>${title}</h2>`}
    <ul>
      ${items}
    </ul>`
}

import { html, raw } from 'hono/html'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { Brand } from '../../store/accounts/brands.ts'
import { brandPaths } from './brand.ts'
import { assetPath } from './asset-path.ts'
import { icon } from './icon.ts'
import { type Markup, renderFrame } from './page-frame.ts'
import { type ListedPage, siteBase, sitePath } from './site-path.ts'
import { renderThemeSwitch, themeScript } from './theme-script.ts'
import type { PageWords } from './words/english.ts'
import { findPageWords } from './words/find-page-words.ts'

/** What the pages of a site have in common. */
export interface SitePlace {
  site: LiveSite
  /** Public pages, in navigation order. */
  pages: readonly ListedPage[]
  /** The site's public key, with which its pages search and ask; null if an owner revoked it. */
  key: string | null
  /** The organization's brand; null if it has none. */
  brand: Brand | null
  /** Absolute URL of the site as Docent serves it, without a trailing slash. */
  filesUrl: string
}

export interface SiteFrame extends SitePlace {
  /** The page being shown; null on our own pages, such as search results. */
  current: ListedPage | null
  title: string
  description?: string
  head?: Markup
  main: Markup
  aside?: Markup
  /** False leaves the navigation out. */
  hasNavigation?: boolean
}

/** Longer navigation is shown in part: it would outweigh the text of every page. */
const navigationPagesMax = 400

/** Frame of a site's pages: name, search field, navigation. */
export function renderSiteFrame(frame: SiteFrame) {
  const {
    site,
    pages,
    key,
    brand,
    filesUrl,
    current,
    title,
    description,
    head,
    main,
    aside,
    hasNavigation = true,
  } = frame
  const base = siteBase(site)
  const siteName = siteNameOf(site)
  const language = languageOf(site, current)
  const words = findPageWords(language)
  const groups = hasNavigation ? groupPages(choosePages(site, pages, current)) : []
  return renderFrame({
    language,
    title: title === siteName ? title : `${title} · ${siteName}`,
    description: description ?? '',
    head: html`${themeScript}
      ${brand?.color == null ? '' : html`<link rel="stylesheet" href="${brandPaths.style(brand)}" />`}
      <link rel="search" type="application/opensearchdescription+xml" href="${base}/opensearch.xml" />
      <link rel="alternate" type="application/atom+xml" href="${base}/feed.xml" />
      ${head ?? ''}`,
    note: html`<p class="unseen">${words.forPrograms} ${filesUrl}/llms.txt</p>`,
    header: html`<a class="name" href="${base}"
        >${brand?.hasLogo === true ? html`<img src="${brandPaths.logo(brand)}" alt="" />` : ''}${siteName}</a
      >
      <a class="seek" href="${base}/search" data-docent-open>${icon('search')}<span>${words.seek}</span><kbd></kbd></a>
      <div class="end">
        ${renderEditions(site, pages, current)} ${renderThemeSwitch(words)}
        <button class="button primary ask" type="button" data-docent-open hidden>${icon('ask')}${words.ask}</button>
      </div>`,
    navigationLabel: words.pages,
    navigation: groups.map((group) => renderGroup(group, base, current)),
    main,
    ...(aside === undefined ? {} : { aside }),
    scripts: renderScripts(site, pages, key),
  })
}

function languageOf(site: LiveSite, page: ListedPage | null): string {
  return page?.language ?? site.index.header.defaultLanguage ?? 'en'
}

export function wordsOf(site: LiveSite, page: ListedPage | null): PageWords {
  return findPageWords(languageOf(site, page))
}

/** The widget is that of other websites, and the pages are its first user. */
function renderScripts(site: LiveSite, pages: readonly ListedPage[], key: string | null) {
  const widget =
    key === null || pages.length === 0
      ? ''
      : html`<script
          src="/widget.js"
          data-site="${site.slug}"
          data-key="${key}"
          data-hotkey="mod+k"
          ${homeOf(site)}
          defer
        ></script>`
  return html`${widget}
    <script type="module" src="${assetPath('site.js')}"></script>`
}

/** For readers who reach Docent by another host than the configured one. A site with a URL of its own is elsewhere. */
function homeOf(site: LiveSite) {
  return new URL(site.url).pathname === siteBase(site) ? html`data-home="${site.url}"` : ''
}

export function siteNameOf(site: LiveSite): string {
  return site.index.header.siteName || site.name
}

/** Pages that the navigation lists beside a page: those of its version and language. */
export function listSiblings(site: LiveSite, pages: readonly ListedPage[], current: ListedPage | null): ListedPage[] {
  const { defaultVersion, defaultLanguage } = site.index.header
  const version = current?.version ?? defaultVersion
  const language = current?.language ?? defaultLanguage
  return pages.filter(
    (page) => page.isListed && (page.version ?? version) === version && (page.language ?? language) === language,
  )
}

/** If there are too many: those of the current section, and the first page of each other section. */
function choosePages(site: LiveSite, pages: readonly ListedPage[], current: ListedPage | null): ListedPage[] {
  const listed = listSiblings(site, pages, current)
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
    const isCurrent = page.path === current?.path && page.version === current.version
    return html`<li><a href="${href}" ${isCurrent ? raw('aria-current="page"') : ''}>${page.title}</a></li>`
  })
  return html`${title === '' ? '' : html`<h2>${title}</h2>`}
    <ul>
      ${items}
    </ul>`
}

type Dimension = 'version' | 'language'

/** Links from a page to its counterparts in the other versions and languages of the site, as menus without a script. */
function renderEditions(site: LiveSite, pages: readonly ListedPage[], current: ListedPage | null) {
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

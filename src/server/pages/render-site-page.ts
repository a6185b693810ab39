import { html, raw } from 'hono/html'
import type { IndexedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { makeLinksAbsolute } from '../../sites/site-url.ts'
import { type ListedPage, renderSiteFrame, siteBase } from './site-frame.ts'

export interface SitePageView {
  site: LiveSite
  pages: readonly ListedPage[]
  page: IndexedPage
  /** The page's Markdown as safe HTML. */
  text: string
}

/** Plain HTML of a public page: navigation and text, without scripts of the site. */
export function renderSitePage({ site, pages, page, text }: SitePageView) {
  const { title, description } = page
  return renderSiteFrame({
    site,
    pages,
    current: page,
    title,
    description,
    head: html`<link rel="alternate" type="text/markdown" href="${markdownPath(site, page)}" />`,
    main: html`<h1>${title}</h1>
      ${description === '' ? '' : html`<p class="description">${description}</p>`} ${raw(text)}`,
  })
}

export function markdownPath(site: LiveSite, { path }: Pick<IndexedPage, 'path'>): string {
  return `${siteBase(site)}${path === '/' ? '/index' : encodeURI(path)}.md`
}

/** A page as one Markdown text: title and description, then what the index stores. */
export function writePageMarkdown(site: LiveSite, { title, description, ...page }: IndexedPage): string {
  const markdown = makeLinksAbsolute(site, page.markdown)
  if (markdown.startsWith('# ')) return markdown
  const about = description === '' ? '' : `> ${description.replace(/\s+/g, ' ').trim()}\n\n`
  return `# ${title}\n\n${about}${markdown}`
}

/** The text below the title. Plain Markdown repeats its title as the first heading, but a page should have only one. */
export function stripTitle({ title, markdown }: IndexedPage): string {
  const [heading = ''] = markdown.split('\n', 1)
  return heading.replace(/^#\s+/, '').trim() === title && heading.startsWith('# ')
    ? markdown.slice(heading.length).trimStart()
    : markdown
}

import type { ListedPage } from '../../search/search-query.ts'
import type { LiveSite } from '../live-sites.ts'

/** A site as its files for programs describe it: their location, and the pages that they may list. */
export interface PublishedSite {
  site: Pick<LiveSite, 'name' | 'url'> & { index: Pick<LiveSite['index'], 'header' | 'readPage'> }
  /** Public pages, in navigation order. */
  pages: readonly ListedPage[]
  /** Base URL of the files and of the pages' Markdown, without a trailing slash: not every site serves its own. */
  filesUrl: string
  /** Base URL of the images of pages; absent if they are not served by their paths in the source. */
  imagesUrl?: string
  /** Whether pages answer questions in their address. */
  answersByAddress?: boolean
}

export const publishedName = ({ site }: PublishedSite): string => site.index.header.siteName || site.name

/** The pages that the files list. Pages outside all versions or languages belong to each. */
export function listDefaultPages({
  site,
  pages,
}: Pick<PublishedSite, 'pages'> & { site: Pick<PublishedSite['site'], 'index'> }) {
  const { defaultVersion, defaultLanguage } = site.index.header
  return pages.filter(
    ({ isListed, version, language }) =>
      isListed && (version ?? defaultVersion) === defaultVersion && (language ?? defaultLanguage) === defaultLanguage,
  )
}

/** Absolute address of a page for people. */
export const pageUrl = ({ filesUrl }: Pick<PublishedSite, 'filesUrl'>, path: string): string =>
  `${filesUrl}${path === '/' ? '' : encodePath(path)}`

/** Absolute address of a page's Markdown, with no parenthesis that would end a link. */
export function markdownUrl({ filesUrl }: Pick<PublishedSite, 'filesUrl'>, path: string): string {
  return `${filesUrl}${encodePath(path === '/' ? '/index' : path)}.md`
}

export const encodePath = (path: string): string =>
  encodeURI(path).replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('?', '%3F').replaceAll('#', '%23')

/** The text of a link, on one line. */
export const linkText = (title: string): string => cutLine(title, 300).replace(/[[\]\\]/g, String.raw`\$&`)

/** On one line, truncated with an ellipsis to this length. */
export function cutLine(text: string, charsMax: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= charsMax) return line
  if (charsMax === 0) return ''
  return `${line
    .slice(0, charsMax - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

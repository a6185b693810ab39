import { escapeXml } from '../../base/escape-xml.ts'
import type { ListedPage } from '../../search/search-query.ts'
import { cutLine, markdownUrl, pageUrl, publishedName, type PublishedSite } from './published-site.ts'

const feedEntriesMax = 100
const changesMax = 1_000

type ChangedPage = ListedPage & { changedAt: number }

/** The pages changed last, newest first. @see https://www.rfc-editor.org/rfc/rfc4287 */
export function buildFeed(published: PublishedSite): string {
  const { filesUrl } = published
  const pages = listChangedPages(published).slice(0, feedEntriesMax)
  const name = escapeXml(publishedName(published))
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${escapeXml(`${filesUrl}/feed.xml`)}</id>
<title>${name}</title>
<updated>${timeOf(pages[0]?.changedAt ?? 0)}</updated>
<author><name>${name}</name></author>
<link rel="self" href="${escapeXml(`${filesUrl}/feed.xml`)}"/>
<link href="${escapeXml(filesUrl)}"/>
${pages.map((page) => writeEntry(published, page)).join('')}</feed>
`
}

function writeEntry(published: PublishedSite, { path, title, description, changedAt }: ChangedPage): string {
  const url = escapeXml(pageUrl(published, path))
  const markdown = escapeXml(markdownUrl(published, path))
  return `<entry><id>${url}</id><title>${escapeXml(cutLine(title, 300))}</title><updated>${timeOf(changedAt)}</updated><link href="${url}"/><link rel="alternate" type="text/markdown" href="${markdown}"/><summary>${escapeXml(cutLine(description, 300))}</summary></entry>\n`
}

/**
 * For programs that keep a copy of the pages.
 *
 * @param since Milliseconds. Pages changed then or later are listed, newest first, at most 1,000.
 */
export function listChanges(published: PublishedSite, since: number) {
  const changed = listChangedPages(published).filter(({ changedAt }) => changedAt >= since)
  const items = changed.slice(0, changesMax).map(({ path, title, changedAt }) => ({
    path,
    title,
    url: pageUrl(published, path),
    markdownUrl: markdownUrl(published, path),
    changedAt: timeOf(changedAt),
  }))
  const undatedPages = published.pages.filter((page) => page.isListed && page.changedAt === undefined).length
  return { items, isComplete: items.length === changed.length, undatedPages }
}

/** Newest first. */
function listChangedPages({ pages }: PublishedSite): ChangedPage[] {
  return pages
    .filter((page): page is ChangedPage => page.isListed && page.changedAt !== undefined)
    .toSorted((one, other) => other.changedAt - one.changedAt)
}

const timeOf = (at: number): string => new Date(at).toISOString()

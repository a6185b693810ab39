import type { SiteCheck } from '../../contract/site-check.ts'
import { makeAnew, type SourceLibrary } from '../flatten/source-library.ts'
import { reportDeadLinks } from '../links/report-dead-links.ts'
import type { SiteLinks } from '../links/site-links.ts'
import { listRootLinks } from '../markdown/map-root-links.ts'
import type { SitePage } from '../site-page.ts'
import { checkAddresses, movePages } from './check-addresses.ts'
import { checkAnchors } from './check-anchors.ts'
import { reportLostWords } from './report-lost-words.ts'
import { listReadWords, type RecordedSource } from './source-record.ts'

export interface ReadingCheckInput {
  /** As the format made them. */
  pages: readonly SitePage[]
  sources: ReadonlyMap<string, RecordedSource>
  library: SourceLibrary
  /** Public URL of the site; null if unknown. */
  siteUrl: string | null
  /** As in `SiteFormat`. */
  hasGivenAddresses: boolean
  /** @param moved Addresses by the format → those of the pages. */
  linkPages: (pages: readonly SitePage[], moved: ReadonlyMap<string, string>) => SiteLinks
}

export interface CheckedReading {
  pages: SitePage[]
  links: SiteLinks
  check: SiteCheck
  isDoubtful: boolean
  /** Page addresses by the format → those that the site's own links show; only where they differ. */
  moved: ReadonlyMap<string, string>
}

/** Compares what was read of a site with its source, reports what differs, and settles the addresses of its pages. */
export async function checkReading(input: ReadingCheckInput): Promise<CheckedReading> {
  const { sources, library, siteUrl, linkPages } = input
  const { findings, hooks } = library
  const { remember = makeAnew } = hooks
  const listLinks = (markdown: string) =>
    remember('root-links', [markdown], () => [...new Set(listRootLinks(markdown))])
  const given = linkPages(input.pages, new Map())
  // Where addresses are given, links cannot tell better.
  const authored = input.hasGivenAddresses ? new Map<string, RecordedSource>() : sources
  const addresses = checkAddresses({ pages: input.pages, sources: authored, links: given, siteUrl, findings, remember })
  const { moved, isDoubtful } = addresses
  const pages = movePages(input.pages, addresses, listLinks)
  const links = moved.size === 0 ? given : linkPages(pages, moved)
  const check = {
    words: reportLostWords(findings, listReadWords(pages, sources)),
    links: await reportDeadLinks(library, pages, { links, listLinks }),
    anchors: checkAnchors({ pages, sources, links, findings, remember, listLinks }),
    addressRule: addresses.rule,
  }
  return { pages, links, check, isDoubtful, moved }
}

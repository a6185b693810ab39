import type { SiteCheck } from '../../contract/site-check.ts'
import { makeAnew, type SourceLibrary } from '../flatten/source-library.ts'
import { reportDeadLinks } from '../links/report-dead-links.ts'
import type { SiteLinks } from '../links/site-links.ts'
import { listRootLinks } from '../markdown/map-root-links.ts'
import type { SitePage } from '../site-page.ts'
import { checkAddresses, movePages } from './check-addresses.ts'
import { checkAnchors } from './check-anchors.ts'
import { listReadWords, type RecordedSource } from './source-record.ts'
import type { FindingList } from '../finding-list.ts'
import type { LostWords } from '../markdown/lost-words.ts'

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

/** Less may be taste: an icon's name, a caption. */
const lostPercentMin = 10
const lostWordsMin = 15
const reportedMax = 20

interface PageWords extends LostWords {
  file: string
}

/** Reports pages that lack much of their source, the worst first, and sums up the others. */
function reportLostWords(findings: FindingList, pages: readonly PageWords[]): SiteCheck['words'] {
  const ranked = pages.filter(({ total }) => total > 0).sort((one, other) => keptPercent(one) - keptPercent(other))
  const lossy = ranked.filter((page) => page.lost >= lostWordsMin && keptPercent(page) <= 100 - lostPercentMin)
  for (const page of lossy.slice(0, reportedMax)) report(findings, page.file, describeLoss(page))
  const rest = lossy.length - reportedMax
  if (rest > 0) {
    const message = `${rest} more pages lack at least ${lostPercentMin} % of their words. Fix those listed first; the next sync lists others.`
    report(findings, '', message)
  }
  const [worst] = ranked
  const median = ranked[Math.floor(ranked.length / 2)]
  return {
    medianPercent: median === undefined ? 100 : keptPercent(median),
    worst: worst === undefined ? null : { file: worst.file, percent: keptPercent(worst) },
    lossyPages: lossy.length,
  }
}

function report(findings: FindingList, file: string, message: string): void {
  findings.add({ file, line: null, rule: 'page-words-lost', message })
}

function describeLoss(page: PageWords): string {
  const words = page.sample.map((word) => `"${word.slice(0, 40)}"`).join(', ')
  const named = words === '' ? 'most of them numbers' : `such as ${words}`
  return `The page lacks ${page.lost} of the ${page.total} words of its source, ${named}. Readers cannot find or ask for them. They are probably in a component or an include that Docent does not read: write them as Markdown.`
}

/** In tenths, rounded down, so that 100 means all. */
function keptPercent({ total, lost }: LostWords): number {
  return total === 0 ? 100 : Math.floor(((total - lost) / total) * 1000) / 10
}

import type { FindingList } from '../finding-list.ts'
import type { SiteCheck } from '../../contract/site-check.ts'
import type { LostWords } from '../markdown/lost-words.ts'

/** Less may be taste: an icon's name, a caption. */
const lostPercentMin = 10
const lostWordsMin = 15
const reportedMax = 20

interface PageWords extends LostWords {
  file: string
}

/** Reports pages that lack much of their source, the worst first, and sums up the others. */
export function reportLostWords(findings: FindingList, pages: readonly PageWords[]): SiteCheck['words'] {
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

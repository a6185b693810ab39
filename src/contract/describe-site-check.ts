import { countOf } from './count-of.ts'
import type { SiteCheck, SiteConfirmation } from './site-check.ts'

/** Sentences for the owner of a site; what is not there to be checked has none. */
export function describeSiteCheck({ words, links, anchors, addressRule }: SiteCheck): string[] {
  const sentences: string[] = []
  if (words.worst !== null) sentences.push(describeWords(words.medianPercent, words.worst))
  if (links.total > 0)
    sentences.push(`${shareOf(links)} between its pages ${isOne(links) ? 'leads' : 'lead'} somewhere.`)
  if (anchors.total > 0) {
    sentences.push(`${shareOf(anchors)} to a section ${isOne(anchors) ? 'finds' : 'find'} one.`)
  }
  if (addressRule !== null) sentences.push(`By its own links, its pages are addressed ${addressRule}.`)
  return sentences
}

/** What is asked of the owner of a site with doubtful addresses, and why. */
export function askForConfirmation({ links, isLive }: SiteConfirmation): { reason: string; question: string } {
  const state = isLive ? 'Readers still get the previous version.' : 'It is not live yet.'
  const isUrlKnown = links.some((link) => URL.canParse(link))
  return {
    reason: `Most of its own links lead nowhere, so the addresses of its pages may be wrong. ${state}`,
    question: isUrlKnown
      ? links.length === 1
        ? 'Does this link open?'
        : 'Do these links open?'
      : 'Its URL is not set. Are these the paths of its pages where it is published?',
  }
}

function describeWords(median: number, worst: { file: string; percent: number }): string {
  if (worst.percent === 100) return 'Every page holds all words of its source.'
  const half =
    median === 100 ? 'Most pages hold all words of their source' : `Half of its pages hold at least ${median} %`
  return `${half}; ${worst.file} holds the fewest, ${worst.percent} %.`
}

function shareOf({ working, total }: SiteCheck['links']): string {
  if (working === total) return total === 1 ? 'The only link' : `All ${countOf(total, 'link')}`
  return `${working.toLocaleString('en')} of ${countOf(total, 'link')}`
}

function isOne({ working, total }: SiteCheck['links']): boolean {
  return total === 1 || working === 1
}

import type { Message } from './message.ts'
import { messageOf } from './message-texts.ts'
import type { SiteCheck, SiteConfirmation } from './site-check.ts'

/** Sentences for the owner of a site; what is not there to be checked has none. */
export function describeSiteCheck({ words, links, anchors, addressRule }: SiteCheck): Message[] {
  const messages: Message[] = []
  if (words.worst !== null) messages.push(describeWords(words.medianPercent, words.worst))
  if (links.total > 0) messages.push(describeShare('check-links', links))
  if (anchors.total > 0) messages.push(describeShare('check-anchors', anchors))
  if (addressRule !== null) messages.push(messageOf('check-addresses', { rule: addressRule }))
  return messages
}

/** What is asked of the owner of a site with doubtful addresses, and why. */
export function askForConfirmation({ links, isLive }: SiteConfirmation): { reasons: Message[]; question: Message } {
  const isUrlKnown = links.some((link) => URL.canParse(link))
  return {
    reasons: [messageOf('confirm-why'), messageOf(isLive ? 'confirm-served' : 'confirm-not-live')],
    question: isUrlKnown ? messageOf('confirm-links', { count: links.length }) : messageOf('confirm-paths'),
  }
}

function describeWords(median: number, { file, percent }: { file: string; percent: number }): Message {
  if (percent === 100) return messageOf('check-words-all')
  if (median === 100) return messageOf('check-words-most', { file, percent })
  return messageOf('check-words-half', { median, file, percent })
}

function describeShare(name: 'check-links' | 'check-anchors', { working, total }: SiteCheck['links']): Message {
  if (working === total) return messageOf(`${name}-all`, { count: total })
  return messageOf(`${name}-some`, { working, count: total })
}

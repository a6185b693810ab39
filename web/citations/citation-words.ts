import type { Citation } from '../../src/contract/citations.ts'
import { listHeadings } from './describe-citation.ts'
import { say } from '../words/say.ts'

/** Enough of a hash to find a commit by. */
const hashChars = 7

/** How a screen reader announces the number of a source. */
export function labelCitation(citation: Citation): string {
  return say('Source {number}: {citation}', { number: citation.number, citation: listHeadings(citation).join(', ') })
}

/** The state of the site that the quote is from, as text. */
export function describeState({ source: { commit, version } }: Citation): string[] {
  return [
    ...(commit === null ? [] : [say('commit {commit}', { commit: commit.slice(0, hashChars) })]),
    ...(version === null ? [] : [say('version {version}', { version })]),
  ]
}

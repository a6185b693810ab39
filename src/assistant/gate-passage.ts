import type { LinkPolicy } from './inert-text.ts'
import { LinkGate } from './link-gate.ts'
import { findSitePath } from './site-links.ts'

/**
 * A passage as clients and models get it: links within the site stay, all others become their text.
 *
 * Pages are written by people, and by anyone who may send them a change: what a front end renders of a tool's result must
 * lead out no more than the answer does.
 */
export function gatePassage(siteUrl: string, markdown: string): string {
  const policy: LinkPolicy = { allow: (target) => findSitePath(siteUrl, target)?.target ?? null, onLink() {} }
  const gate = new LinkGate(policy)
  return gate.push(markdown) + gate.end()
}

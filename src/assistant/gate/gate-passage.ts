import { BoundedCache } from '../../search/bounded-cache.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import type { LinkPolicy } from './text-escaper.ts'
import { LinkGate } from './link-gate.ts'
import { findSitePath } from './site-links.ts'

/** Characters of passages that are kept for each index. */
const keptCharsMax = 2_000_000

/** Questions find the same passages again and again, and checking one costs as much as checking its whole answer. */
const keptPassages = new WeakMap<LiveSite['index'], BoundedCache<string>>()

/**
 * A passage as clients and models get it: links within the site stay, all others become their text.
 *
 * Pages are written by people, and by anyone who may send them a change: what a front end renders of a tool's result must
 * lead out no more than the answer does.
 */
export function gatePassage({ index, url }: Pick<LiveSite, 'index' | 'url'>, markdown: string): string {
  const kept = keptPassages.get(index) ?? new BoundedCache<string>(keptCharsMax)
  keptPassages.set(index, kept)
  const key = `${url}\n${markdown}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const gated = gateMarkdown(url, markdown)
  kept.set(key, gated, key.length + gated.length)
  return gated
}

function gateMarkdown(siteUrl: string, markdown: string): string {
  const policy: LinkPolicy = { allow: (target) => findSitePath(siteUrl, target)?.target ?? null, onLink() {} }
  const gate = new LinkGate(policy)
  return gate.push(markdown) + gate.end()
}

import { BoundedCache } from '../../base/bounded-cache.ts'
import type { LiveSite } from '../../sites/live-sites.ts'
import { LinkGate } from './link-gate.ts'
import { findSitePath } from './site-links.ts'

/** Characters of passages cached per index. */
const keptCharsMax = 2_000_000

/** Questions find the same passages repeatedly, and gating one costs as much as gating a whole answer. */
const keptPassages = new WeakMap<LiveSite['index'], BoundedCache<string>>()

/**
 * A passage as clients and models receive it: links within the site are kept, all others become their text.
 *
 * Otherwise anyone who can edit a page could add links that a front end renders from a tool's result.
 */
export function gatePassage({ index, url }: Pick<LiveSite, 'index' | 'url'>, markdown: string): string {
  const kept = keptPassages.get(index) ?? new BoundedCache<string>(keptCharsMax)
  keptPassages.set(index, kept)
  const key = `${url}\n${markdown}`
  const known = kept.get(key)
  if (known !== undefined) return known
  const gate = new LinkGate({ allow: (target) => findSitePath(url, target)?.target ?? null, onLink() {} })
  const gated = gate.push(markdown) + gate.end()
  kept.set(key, gated, key.length + gated.length)
  return gated
}

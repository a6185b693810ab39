import type { SitePage } from '../site-page.ts'
import { type AddressRule, listAddressRules } from './address-rules.ts'
import { addressKey } from './address-key.ts'

/** Fewer links prove nothing. */
export const judgedLinksMin = 20
/** A rule must make so many percent of the links work, and so many more than the format's own. */
const resolvedPercentMin = 60
const gainPercentMin = 30
/** So many more than a simpler rule, so that no rule follows from a few odd links. */
const refinementPercentMin = 10
/** Two pages of one address: the rule is wrong, if there are more than so many percent. */
const collisionsPercentMax = 2

/** A link from the root of the site, on one page. */
export interface OwnLink {
  path: string
  /** Nothing is served there, if the format's addresses are right. */
  isDead: boolean
}

export interface ChosenAddresses {
  /** Null: those of the format. */
  rule: string | null
  /** Address by the format → address by the rule; only those that differ. */
  moved: ReadonlyMap<string, string>
  /** Also for addresses in links that no page has. */
  move: AddressRule['move']
  /** How many dead links lead to a page by the rule. */
  revived: number
}

/**
 * Finds the rule by which most of a site's own links lead to a page, if that is clearly another one than the format's:
 * the addresses in its links are right, because its readers follow them.
 */
export function chooseAddresses(pages: readonly Pick<SitePage, 'path'>[], links: readonly OwnLink[]): ChosenAddresses {
  let best: ChosenAddresses = { rule: null, moved: new Map(), move: (path) => path, revived: 0 }
  const dead = links.filter(({ isDead }) => isDead).map(({ path }) => addressKey(path))
  const alive = links.length - dead.length
  const revivedMin = Math.max((gainPercentMin / 100) * links.length, (resolvedPercentMin / 100) * links.length - alive)
  if (links.length < judgedLinksMin || dead.length < revivedMin) return best
  const paths = [...new Set(pages.map(({ path }) => path))]
  for (const { description, move } of listAddressRules(paths, [...new Set(dead)])) {
    const moved = movePaths(paths, move)
    if (moved === null) continue
    const known = new Set(moved.values())
    const revived = dead.filter((path) => known.has(path)).length
    const needed = best.rule === null ? revivedMin : best.revived + (refinementPercentMin / 100) * links.length
    if (revived >= needed) best = { rule: description, moved, move, revived }
  }
  return best
}

/** @returns Null if too many pages would have the same address. The first of two gets it. */
function movePaths(paths: readonly string[], move: AddressRule['move']): Map<string, string> | null {
  const targets = paths.map((path) => [path, move(path)] as const)
  const taken = new Set(targets.flatMap(([path, target]) => (path === target ? [path] : [])))
  const moved = new Map<string, string>()
  let collisions = 0
  for (const [path, target] of targets) {
    if (path === target) continue
    if (taken.has(target)) collisions++
    else moved.set(path, target)
    taken.add(target)
  }
  return collisions * 100 > paths.length * collisionsPercentMax ? null : moved
}

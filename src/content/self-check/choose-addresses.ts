import type { SitePage } from '../site-page.ts'
import { type AddressRule, listAddressRules } from './address-rules.ts'
import { addressKey } from './address-key.ts'

/** Fewer links prove nothing, unless none of them works, and by a rule that needs no prefix all of them do. */
export const judgedLinksMin = 20
const fewTargetsMin = 3
/** A rule must make so many percent of the links work, and so many more than the format's own. */
const resolvedPercentMin = 60
const gainPercentMin = 30
/** So many more than a simpler rule, so that no rule follows from a few odd links. */
const refinementPercentMin = 10
/** The rule is wrong if more than this percentage of pages would share an address with another. */
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
  /** How many of the links lead to a page. */
  working: number
}

/**
 * Finds the rule by which most of a site's own links lead to a page, if that is clearly another one than the format's:
 * the addresses in its links are right, because its readers follow them.
 */
export function chooseAddresses(pages: readonly Pick<SitePage, 'path'>[], links: readonly OwnLink[]): ChosenAddresses {
  const alive = links.filter(({ isDead }) => !isDead).map(({ path }) => path)
  const dead = links.filter(({ isDead }) => isDead).map(({ path }) => addressKey(path))
  let best: ChosenAddresses = { rule: null, moved: new Map(), move: (path) => path, working: alive.length }
  const percent = links.length / 100
  const areFew = links.length < judgedLinksMin
  const share = Math.max(alive.length + gainPercentMin * percent, resolvedPercentMin * percent)
  const needed = areFew ? links.length : share
  if (links.length < needed || (areFew && (alive.length > 0 || new Set(dead).size < fewTargetsMin))) return best
  const paths = [...new Set(pages.map(({ path }) => path))]
  for (const { description, move } of listAddressRules(paths, areFew ? [] : [...new Set(dead)])) {
    const moved = movePaths(paths, move)
    if (moved === null) continue
    const known = new Set(moved.values())
    const isLeft = (path: string) => moved.has(path) && !known.has(path)
    const working = countSuiting(dead, (path) => known.has(path)) + countSuiting(alive, (path) => !isLeft(path))
    const refined = best.rule === null ? needed : best.working + refinementPercentMin * percent
    if (working >= refined) best = { rule: description, moved, move, working }
  }
  return best
}

function countSuiting(paths: readonly string[], suits: (path: string) => boolean): number {
  return paths.filter(suits).length
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

import type { SitePage } from '../site-page.ts'
import { addressKey } from './address-key.ts'
import { slug } from 'github-slugger'
import { dropNumberPrefixes } from '../routes/number-prefix.ts'
import { joinRoute } from '../routes/routed-page.ts'

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

/** Another way to make addresses of the site's files. */
interface AddressRule {
  /** Completes "The addresses of the pages are made …". */
  description: string
  /** @param path As `SitePage.path`, by the format. */
  move: (path: string) => string
}

/** Votes are counted over so many links and, for each, so many pages of the same name. */
const votingLinksMax = 2000
const namesakesMax = 30
const prefixesTried = 5

const asWritten: AddressRule = { description: 'as the format says', move: (path) => path }
const withoutNumbers: AddressRule = {
  description: 'without the numbers in front of file and folder names',
  move: dropNumberPrefixes,
}
const slugged: AddressRule = { description: 'in lower case with hyphens', move: slugPath }

/** Rules that do not depend on the site, simplest first. */
const generalRules: readonly AddressRule[] = [asWritten, withoutNumbers, slugged, join(withoutNumbers, slugged)]

/** @param dead Addresses of own links that no page has. Simplest rules first. */
function listAddressRules(paths: readonly string[], dead: readonly string[]): AddressRule[] {
  const prefixed = generalRules.flatMap((rule) =>
    findPrefixes(paths.map(rule.move), dead).map((prefix) => join(rule, prefix)),
  )
  return [...generalRules, ...prefixed]
}

function join(first: AddressRule, second: AddressRule): AddressRule {
  const description = first === asWritten ? second.description : `${first.description} and ${second.description}`
  return { description, move: (path) => second.move(first.move(path)) }
}

function slugPath(path: string): string {
  return path
    .split('/')
    .map((segment) => slug(segment))
    .join('/')
}

/** Finds folders that links call by another name: links and pages with the same ending vote for what precedes it. */
function findPrefixes(paths: readonly string[], dead: readonly string[]): AddressRule[] {
  const byName = new Map<string, string[][]>()
  for (const path of paths) {
    const segments = splitPath(path)
    const namesakes = byName.get(segments.at(-1) ?? '') ?? []
    byName.set(segments.at(-1) ?? '', namesakes)
    if (namesakes.length < namesakesMax) namesakes.push(segments)
  }
  const votes = new Map<string, { from: string; to: string; count: number }>()
  for (const link of dead.slice(0, votingLinksMax)) {
    const wanted = splitPath(link)
    const pairs = (byName.get(wanted.at(-1) ?? '') ?? []).map((page) => compareEnds(page, wanted))
    for (const [from, to] of new Map(pairs.map((pair) => [pair.join(' '), pair])).values()) {
      const vote = votes.get(`${from} ${to}`) ?? { from, to, count: 0 }
      votes.set(`${from} ${to}`, { ...vote, count: vote.count + 1 })
    }
  }
  const best = [...votes.values()].sort((one, other) => other.count - one.count).slice(0, prefixesTried)
  return best.map(({ from, to }) => replacePrefix(from, to))
}

function compareEnds(page: readonly string[], link: readonly string[]): readonly [from: string, to: string] {
  let shared = 0
  while (shared < Math.min(page.length, link.length) && page.at(-1 - shared) === link.at(-1 - shared)) shared++
  return [joinRoute(...page.slice(0, page.length - shared)), joinRoute(...link.slice(0, link.length - shared))]
}

function replacePrefix(from: string, to: string): AddressRule {
  const isInside = (path: string) => from === '/' || path === from || path.startsWith(`${from}/`)
  const description = from === '/' ? `below ${to}` : `with ${to} in place of ${from}`
  return {
    description,
    move: (path) => (isInside(path) ? joinRoute(to, path.slice(from === '/' ? 0 : from.length)) : path),
  }
}

function splitPath(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

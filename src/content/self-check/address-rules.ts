import { slug } from 'github-slugger'
import { dropNumberPrefixes } from '../routes/number-prefix.ts'
import { joinRoute } from '../routes/routed-page.ts'

/** Another way to make addresses of the site's files. */
export interface AddressRule {
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
export function listAddressRules(paths: readonly string[], dead: readonly string[]): AddressRule[] {
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

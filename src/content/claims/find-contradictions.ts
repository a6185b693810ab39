import type { SitePage } from '../site-page.ts'
import type { Claim } from './claim.ts'
import { areContrary } from './claim-value.ts'

/** A claim and the page that makes it. */
export interface PlacedClaim extends Claim {
  page: ClaimPage
}

export type ClaimPage = Pick<SitePage, 'path' | 'file' | 'title' | 'version' | 'language'>

/** Two claims of which only one can be true. */
export interface Contradiction<Placed extends PlacedClaim = PlacedClaim> {
  a: Placed
  b: Placed
}

/** A name with more values than that means something else on every page. */
const valuesMax = 3
const claimsPerKeyMax = 200
const idCharsMin = 6

/** Pages about the past, and copies of the site for it. */
const pastPage =
  /(?:^|\/)(?:blog|news|posts|releases?|release-notes|archive|legacy|rfcs?|adr|v?\d+(?:\.(?:\d+|x))*|version[-_][^/]*)(?:\/|$)|(?:^|\/)(?:upgrad|whats-new|release-notes)[^/]*$/i

/** Whether what a page says is meant to be true of the current product. */
export function isAboutPresent({ path, file }: ClaimPage): boolean {
  return !pastPage.test(path) && !pastPage.test(file.replace(/\.\w+$/, ''))
}

/**
 * Finds claims of a site that contradict each other.
 *
 * Compared are claims of one version and language about one key. Whether two pages mean the same option by a name is
 * decided by the name itself, by where it is defined, and by what the pages say about it; doubtful cases are not reported. Pure;
 * linear in the claims but for at most 200 of a name.
 *
 * @returns The first contradiction of each pair of pages and key.
 */
export function findContradictions<Placed extends PlacedClaim>(claims: readonly Placed[]): Contradiction<Placed>[] {
  const words = countPathWords(claims)
  const references = new Set(claims.filter(({ form }) => form === 'reference').map(({ page }) => page.path))
  const present = claims.filter(({ page }) => isAboutPresent(page))
  const groups = Map.groupBy(present, ({ key, attribute, page }) =>
    JSON.stringify([key.id, attribute, page.version, page.language]),
  )
  return [...groups.values()].flatMap((group) => findInGroup(group, { words, references }))
}

function findInGroup<Placed extends PlacedClaim>(
  group: readonly Placed[],
  site: Omit<PairContext, 'group'>,
): Contradiction<Placed>[] {
  const values = new Set(group.map(({ value }) => value.id))
  if (values.size < 2 || values.size > valuesMax || group.length > claimsPerKeyMax) return []
  const found = new Map<string, Contradiction<Placed>>()
  for (const [index, a] of group.entries()) {
    for (const b of group.slice(index + 1)) {
      const pair = JSON.stringify([a.page.path, b.page.path].sort())
      if (found.has(pair) || !areContrary(a.value, b.value) || !areOfOneSubject(a, b, { ...site, group })) continue
      found.set(pair, { a, b })
    }
  }
  return [...found.values()]
}

interface PairContext {
  /** Paths of pages that define options. */
  references: ReadonlySet<string>
  group: readonly PlacedClaim[]
  words: PathWords
}

function areOfOneSubject(a: PlacedClaim, b: PlacedClaim, { group, words, references }: PairContext): boolean {
  if (a.page.path === b.page.path && a.form === b.form) return false
  const { strength, id } = a.key
  if (strength === 'strong') return true
  if (areDescribedAlike(a, b)) return true
  const isPeer = arePeers(a, b, references)
  if (strength === 'plain') return !isPeer && words.haveRareInCommon(a.page, b.page)
  if (isPeer) return !areBeside(a.page, b.page) && words.haveRareInCommon(a.page, b.page)
  if (id.length < idCharsMin) return words.haveRareInCommon(a.page, b.page)
  return isDefinedOnce(group)
}

/** Whether all pages that define an option agree; otherwise several options share its name. */
function isDefinedOnce(group: readonly PlacedClaim[]): boolean {
  const defined = group.filter(({ form }) => form === 'reference')
  return (
    new Set(defined.map(({ value }) => value.id)).size <= 1 && new Set(group.map(({ page }) => page.path)).size <= 6
  )
}

/** Whether each place defines an option of its own rather than repeating the other. */
function arePeers(a: PlacedClaim, b: PlacedClaim, references: ReadonlySet<string>): boolean {
  if (a.form === 'reference' && b.form === 'reference') return true
  if (!areBeside(a.page, b.page)) return false
  return (a.form !== 'prose' && b.form !== 'prose') || (references.has(a.page.path) && references.has(b.page.path))
}

/** Pages of one folder describe siblings: two providers, two components, two rules. */
function areBeside(a: ClaimPage, b: ClaimPage): boolean {
  return a.path !== b.path && folderOf(a.path) === folderOf(b.path)
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

const descriptionWordsMin = 5

function areDescribedAlike(a: Claim, b: Claim): boolean {
  const [left, right] = [new Set(a.description), new Set(b.description)]
  const shared = [...left].filter((word) => right.has(word)).length
  return shared >= descriptionWordsMin && shared / Math.max(left.size, right.size) >= 0.8
}

interface PathWords {
  haveRareInCommon(a: ClaimPage, b: ClaimPage): boolean
}

/** Words of page paths that few pages have tell what a page is about. */
function countPathWords(claims: readonly PlacedClaim[]): PathWords {
  const pages = new Map(
    claims.map(({ page }) => [page.path, new Set(page.path.toLowerCase().match(/[a-z\d]{3,}/g) ?? [])]),
  )
  const counts = new Map<string, number>()
  for (const words of pages.values()) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  const max = Math.max(2, pages.size * 0.02)
  return {
    haveRareInCommon: (a, b) => {
      const other = pages.get(b.path) ?? new Set()
      return [...(pages.get(a.path) ?? [])].some((word) => other.has(word) && (counts.get(word) ?? 0) <= max)
    },
  }
}

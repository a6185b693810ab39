import type { SiteComparison } from '../../contract/counterfactual.ts'
import { anchorKey } from '../../content/links/anchor-key.ts'
import { collectAnchorKeys } from '../../content/links/page-anchors.ts'
import { normalizeAddress } from '../../content/links/path-patterns.ts'
import { findDeadLinks } from '../../content/links/report-dead-links.ts'
import { listAnchors } from '../../content/markdown/heading-anchors.ts'
import { listRootLinks } from '../../content/markdown/map-root-links.ts'
import { listEntries } from '../../content/navigation/find-entries.ts'
import { readNavigationOf } from '../../content/navigation/edit-navigation.ts'
import { readPageTitle } from '../../content/pages/page-title.ts'
import type { SitePage } from '../../content/site-page.ts'
import { decodeAddress } from '../../content/trees/source-path.ts'
import { findNewPath, type PageMoves } from './match-pages.ts'
import type { SiteVersion } from './site-version.ts'

type Structure = Pick<SiteComparison, 'brokenLinks' | 'lostAnchors' | 'lostPages' | 'unreachablePages'>

/** Finds what readers can no longer get to: links, sections, addresses and pages. */
export async function compareStructure(before: SiteVersion, after: SiteVersion, moves: PageMoves): Promise<Structure> {
  const lostPages = before.site.pages
    .filter(({ path }) => !isServed(after, path))
    .map(({ path, title }) => ({ path, title }))
  return {
    brokenLinks: listBrokenLinks(before, after, moves),
    lostAnchors: listLostAnchors(before, after, moves),
    lostPages,
    unreachablePages: await listUnreachable(before, after, moves),
  }
}

function isServed({ links }: SiteVersion, path: string): boolean {
  const served = links.find(path)
  return served !== null && served !== 'elsewhere'
}

function listBrokenLinks(before: SiteVersion, after: SiteVersion, moves: PageMoves): Structure['brokenLinks'] {
  const known = new Set(listDead(before).map(({ page, url }) => `${findNewPath(moves, page.path)}\n${url}`))
  return listDead(after)
    .filter(({ page, url }) => !known.has(`${page.path}\n${url}`))
    .map(({ page: { path, file }, url }) => ({ path, file, url }))
}

function listDead({ site: { pages }, links }: SiteVersion): { page: SitePage; url: string }[] {
  return [...findDeadLinks(pages, links).dead, ...listDeadAnchors(pages)]
}

/** Only anchors of pages whose sections are all in their source are known. */
function listDeadAnchors(pages: readonly SitePage[]): { page: SitePage; url: string }[] {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const keysOf = new Map<SitePage, ReadonlySet<string>>()
  return pages.flatMap((page) =>
    [...new Set(listRootLinks(page.markdown))].flatMap((url) => {
      const [, path = '', anchor = ''] = /^([^?#]*)[^#]*#(.*)$/s.exec(url) ?? []
      const target = byPath.get(normalizeAddress(decodeAddress(path)))
      if (target?.source === undefined || target.apiFile !== undefined || !isSection(anchor)) return []
      const keys = keysOf.get(target) ?? listKeys(target)
      keysOf.set(target, keys)
      const isThere = keys.has(anchorKey(anchor)) || anchor.split('.').every((part) => keys.has(anchorKey(part)))
      return keys.size === 0 || isThere ? [] : [{ page, url }]
    }),
  )
}

const isSection = (anchor: string) => anchorKey(anchor) !== '' && !/^(?:_?top$|fn(?:ref)?\b|:|\/|!)/.test(anchor)
const listKeys = (page: SitePage) => collectAnchorKeys(page.markdown, page.source?.text ?? '')

function listLostAnchors(before: SiteVersion, after: SiteVersion, moves: PageMoves): Structure['lostAnchors'] {
  const byPath = new Map(after.site.pages.map((page) => [page.path, page]))
  const redirected = new Set(after.redirects.map(({ source }) => source))
  return before.site.pages.flatMap((page) => {
    const now = byPath.get(findNewPath(moves, page.path) ?? '')
    // An address that is gone is reported as a whole.
    if (now === undefined || now.markdown === page.markdown || !isServed(after, page.path)) return []
    const keys = listKeys(now)
    return [...new Set(listAnchors(page.markdown))]
      .filter((anchor) => !keys.has(anchorKey(anchor)) && !redirected.has(`${page.path}#${anchor}`))
      .map((anchor) => ({ path: now.path, anchor }))
  })
}

async function listUnreachable(
  before: SiteVersion,
  after: SiteVersion,
  moves: PageMoves,
): Promise<Structure['unreachablePages']> {
  const linked = listLinked(after)
  const candidates = before.site.pages.flatMap(({ path, title }) => {
    const now = findNewPath(moves, path) ?? path
    return path === '/' || linked.has(now) || after.links.find(now) !== 'page' ? [] : [{ old: path, path: now, title }]
  })
  if (candidates.length === 0) return []
  const [wasLinked, wasListed, isListed] = [
    listLinked(before),
    await createNavigationTest(before),
    await createNavigationTest(after),
  ]
  return candidates
    .filter(({ old, path }) => !isListed(path) && (wasLinked.has(old) || wasListed(old)))
    .map(({ path, title }) => ({ path, title }))
}

/** Addresses that another page links to. */
function listLinked({ site: { pages } }: SiteVersion): Set<string> {
  const linked = new Set<string>()
  for (const { path, markdown } of pages) {
    for (const url of listRootLinks(markdown)) {
      const target = normalizeAddress(decodeAddress(url))
      if (target !== path) linked.add(target)
    }
  }
  return linked
}

/** Whether the navigation leads to an address. Where it cannot be read, it is taken to lead to every page. */
async function createNavigationTest({
  tree,
  format,
  root,
  links,
  site,
}: SiteVersion): Promise<(path: string) => boolean> {
  const { routes } = links
  const addresses = new Map([...routes].map(([address, file]) => [file, address]))
  const place = { tree, format, root, routes, addresses, titleOf: (file: string) => readPageTitle(tree, file) }
  const navigation = await readNavigationOf(place).catch(() => null)
  const read = new Set(site.pages.map(({ path }) => path))
  return (path) => {
    const file = routes.get(path)
    if (file === undefined) return false
    // Such a format reads only what its navigation names.
    if (navigation === null || format.navigationFile !== undefined) return read.has(path)
    return listEntries(navigation, file).length > 0 || navigation.describeAutomatic(file) !== null
  }
}

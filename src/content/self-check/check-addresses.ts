import type { FindingList } from '../finding-list.ts'
import { escapeAddress } from '../flatten/render-link.ts'
import { decodeAddress } from '../trees/source-path.ts'
import type { PageDialect } from '../flatten/page-dialect.ts'
import type { Remember } from '../flatten/source-library.ts'
import type { SiteLinks } from '../links/site-links.ts'
import { listRootLinks, mapRootLinks } from '../markdown/map-root-links.ts'
import type { SitePage } from '../site-page.ts'
import { addressKey } from './address-key.ts'
import { type ChosenAddresses, chooseAddresses, judgedLinksMin, type OwnLink } from './choose-addresses.ts'
import type { RecordedSource } from './source-record.ts'
import { createFenceTracker } from '../markdown/code-fence.ts'

/** If fewer of a site's own links work, its addresses are probably wrong. */
const workingPercentMin = 50

export interface CheckedAddresses extends ChosenAddresses {
  /** Most of the site's own links lead nowhere, and no rule is known that changes that. */
  isDoubtful: boolean
}

export interface AddressCheckInput {
  pages: readonly SitePage[]
  sources: ReadonlyMap<string, RecordedSource>
  /** By the addresses of the format. */
  links: SiteLinks
  /** Public URL of the site; null if unknown. */
  siteUrl: string | null
  findings: FindingList
  remember: Remember
}

/** Checks page addresses against the links that the site's authors wrote, and reports what is wrong. */
export function checkAddresses(input: AddressCheckInput): CheckedAddresses {
  const { pages, findings } = input
  const own = listJudgedLinks(input)
  const chosen = chooseAddresses(pages, own)
  const alive = own.filter(({ isDead }) => !isDead).length
  const { working } = chosen
  const isDoubtful = own.length >= judgedLinksMin && working * 100 < own.length * workingPercentMin
  const report = (message: string) => findings.add({ file: '', line: null, rule: 'addresses-differ', message })
  if (chosen.rule !== null) {
    const [[from, to] = ['', '']] = chosen.moved
    report(
      `${countFew(alive)} of the ${own.length} links that the site writes from its root lead to a page by the addresses of its format. ${working} do if pages are addressed ${chosen.rule}, so Docent does that: ${from} is at ${to}. If readers find it elsewhere, correct the folder or the URL of the site.`,
    )
  } else if (isDoubtful) {
    const example = own.find(({ isDead }) => isDead)?.path
    report(
      `${countFew(working)} of the ${own.length} links that the site writes from its root lead to a page; ${example} is one that does not. The addresses of its pages are probably wrong: check the folder and the URL of the site.`,
    )
  }
  return { ...chosen, isDoubtful }
}

function countFew(count: number): string {
  return count === 0 ? 'None' : `Only ${count}`
}

function listJudgedLinks({ pages, sources, links, siteUrl, remember }: AddressCheckInput): OwnLink[] {
  const origin = siteUrl === null ? null : new URL(siteUrl).origin
  const keys = new Set(pages.map(({ path }) => addressKey(path)))
  return [...new Set(pages.map(({ file }) => file))].flatMap((file) => {
    const source = sources.get(file)
    if (source === undefined) return []
    const own = remember(`own-links ${origin}`, [source.body], () => listOwnLinks(source.body, origin))
    const paths = own.flatMap((url) => {
      const [path = ''] = (source.library.dialect.resolveLink(url, source) ?? '').split(/[?#]/)
      return path.startsWith('/') ? path : []
    })
    return [...new Set(paths)].flatMap((path): OwnLink[] => {
      const served = links.find(path)
      if (served === 'page' || served === 'redirect') return [{ path, isDead: false }]
      // Files and pages of other programs on the same host say nothing about the addresses of pages.
      if (served !== null || /\.(?!mdx?$|html?$)[a-z][a-z0-9]{1,4}$/i.test(path)) return []
      return [{ path, isDead: !keys.has(addressKey(path)) }]
    })
  })
}

/** Gives the pages their new addresses, and leads links to them, also those with an extension or `index`. */
export function movePages(
  pages: readonly SitePage[],
  { moved, move }: Pick<ChosenAddresses, 'moved' | 'move'>,
  listLinks: (markdown: string) => readonly string[] = listRootLinks,
): SitePage[] {
  const placed = pages.map((page) => ({ ...page, path: moved.get(page.path) ?? page.path }))
  const byKey = new Map(placed.map(({ path }) => [addressKey(path), path]))
  const paths = new Set(byKey.values())
  const lead = (url: string) => {
    const [path = ''] = url.split(/[?#]/)
    const known = decodeAddress(path)
    if (paths.has(path) || paths.has(known)) return url
    const target = moved.get(known) ?? byKey.get(addressKey(path)) ?? byKey.get(addressKey(move(path)))
    return target === undefined ? url : `${escapeAddress(target)}${url.slice(path.length)}`
  }
  return placed.map((page) =>
    listLinks(page.markdown).every((url) => lead(url) === url)
      ? page
      : { ...page, markdown: mapRootLinks(page.markdown, lead) },
  )
}

/** A dialect whose links lead to the new addresses. */
export function moveLinks(dialect: PageDialect, moved: ReadonlyMap<string, string>): PageDialect {
  if (moved.size === 0) return dialect
  const resolveLink: PageDialect['resolveLink'] = (url, from) => {
    const resolved = dialect.resolveLink(url, from)
    const [path = ''] = resolved?.split(/[?#]/) ?? []
    return resolved === null ? null : `${moved.get(path) ?? path}${resolved.slice(path.length)}`
  }
  return { ...dialect, resolveLink }
}

const attribute = /\b(?:href|to|link)\s*[=:]\s*["'](\/(?!\/)[^"'\s{}>]{0,2000})["']/g
const linksMax = 2000

/**
 * Lists the links that a page's source writes from the root of its host, such as `/guides/x#y`, also as full addresses
 * of the site's own host. Their addresses are the author's, whatever files the site consists of. Pure.
 *
 * @param origin Of the site; null if unknown.
 */
function listOwnLinks(body: string, origin: string | null): string[] {
  const text = origin === null ? body : body.replaceAll(`${origin}/`, '/')
  const found = new Set(listRootLinks(text))
  if (/[=:]\s*["']\//.test(text)) {
    const isCode = createFenceTracker()
    for (const line of text.split('\n')) {
      if (isCode(line)) continue
      for (const [, url = ''] of line.slice(0, 10_000).matchAll(attribute)) found.add(url)
    }
  }
  return [...found].slice(0, linksMax)
}

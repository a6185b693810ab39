import { createRedirectFinder, type FindRedirect } from '../../content/links/find-redirect.ts'
import type { Redirect } from '../../content/links/redirect.ts'
import type { IndexFile } from '../index-file/index-file.ts'
import { findPage } from '../ranking/find-page.ts'
import { isInEdition, isServed, isVisible } from '../ranking/page-access.ts'
import type { FoundAddress, Reader } from '../search-query.ts'
import { askedCharsMax, countFrame, nameOf, readAskedPath } from './asked-path.ts'
import { listNearPages } from './list-near-pages.ts'
import { getPageAddresses } from './page-addresses.ts'

/** Shorter and emptier names say too little to lead anywhere. */
const tellingCharsMin = 3

/**
 * Decides what an address without a page of its own means to a reader: a page for certain, because the documentation
 * redirects there or nothing else is spelled like it, or the nearest pages.
 *
 * Pages that the reader may not see take no part, so that their addresses are answered like any other.
 */
export function findAddress(index: IndexFile, path: string, reader: Reader): FoundAddress {
  const isAllowed = (page: number) => {
    const record = index.pages[page]
    return record !== undefined && isServed(record) && isVisible(record, reader)
  }
  if (path.length > askedCharsMax || path.includes('\0')) return { kind: 'unknown', near: [] }
  const redirected = followRedirect(index, path, reader)
  if (redirected !== null) return redirected
  const segments = readAskedPath(path)
  const page = findRespelled(index, segments, isAllowed)
  if (page !== null) return { kind: 'page', path: index.pages[page]?.path ?? '/', anchor: '' }
  return { kind: 'unknown', near: listNearPages(index, { segments, reader, isAllowed }) }
}

const redirectsByIndex = new WeakMap<IndexFile, FindRedirect>()

/** By the documentation's own redirects, read at the first use. Null if they lead to nothing that the reader may see. */
export function followRedirect(index: IndexFile, path: string, reader: Reader): FoundAddress | null {
  const find = redirectsByIndex.get(index) ?? createRedirectFinder(index.listRedirects())
  redirectsByIndex.set(index, find)
  const bare = `/${readAskedPath(path).join('/')}`
  const base = index.header.basePath ?? '/'
  const spellings = [path, bare, ...(base === '/' ? [] : [`${base}${bare}`])]
  const destination = spellings.map(find).find((found) => found !== null)
  if (destination == null) return null
  if (/^https?:\/\//i.test(destination))
    return URL.canParse(destination) ? { kind: 'elsewhere', url: destination } : null
  if (!destination.startsWith('/')) return null
  const { defaultVersion, defaultLanguage } = index.header
  const page = index.pages[findPage(index, destination, reader, { version: defaultVersion, language: defaultLanguage })]
  const [anchor = ''] = /#.*$/.exec(destination) ?? []
  return page === undefined || !isServed(page) ? null : { kind: 'page', path: page.path, anchor }
}

type Allows = (page: number) => boolean

/** The only page whose address differs in spelling, in its frame, or by segments that were left out. */
function findRespelled(index: IndexFile, segments: readonly string[], isAllowed: Allows): number | null {
  const { names, byNames, byBareNames, byLastName } = getPageAddresses(index)
  const asked = segments.map(nameOf)
  const bare = asked.slice(countFrame(segments))
  const last = bare.at(-1) ?? ''
  const choose = (pages: readonly number[] = []) => chooseOnly(index, pages.filter(isAllowed))
  const whole = asked.length === 0 ? null : choose(byNames.get(asked.join('/')))
  if (whole !== null || last.length < tellingCharsMin) return whole
  const framed = asked
    .keys()
    .map((from) => asked.slice(from).join('/'))
    .take(asked.length - bare.length + 1)
  const unframed = framed.map((key) => choose(byNames.get(key))).find((page) => page !== null)
  if (unframed !== undefined) return unframed
  // One name alone may as well be that of a page elsewhere.
  const other = bare.length === 1 ? null : choose(byBareNames.get(bare.join('/')))
  if (other !== null) return other
  return choose(byLastName.get(last)?.filter((page) => isSubsequence(bare, names[page] ?? [])))
}

/** The only page, or the only one of the default version and language. */
function chooseOnly({ pages, header }: IndexFile, candidates: readonly number[]): number | null {
  const edition = { version: header.defaultVersion, language: header.defaultLanguage }
  const usual = candidates.filter((page) => pages[page] !== undefined && isInEdition(pages[page], edition))
  const paths = new Set((usual.length === 0 ? candidates : usual).map((page) => pages[page]?.path))
  return paths.size === 1 ? ((usual[0] ?? candidates[0]) as number) : null
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let next = 0
  for (const name of whole) if (name === part[next]) next++
  return next === part.length
}

/** The redirects that lead to a page of the reader or to another site. Patterns could lead to pages that others see. */
export function listFollowedRedirects(index: IndexFile, reader: Reader): Redirect[] {
  const seesAll = index.pages.every((page) => isVisible(page, reader))
  return index.listRedirects().flatMap(({ source, destination }) => {
    if (/[:*()]/.test(source)) return seesAll ? [{ source, destination }] : []
    const found = followRedirect(index, source, reader)
    if (found?.kind === 'page') return [{ source, destination: `${found.path}${found.anchor}` }]
    return found?.kind === 'elsewhere' ? [{ source, destination: found.url }] : []
  })
}

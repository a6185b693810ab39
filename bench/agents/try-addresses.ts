import type { SiteContent } from '../../src/content/site-page.ts'
import { certainKinds, invented, mutateAddress, nonsense, type WrongAddress } from './mutate-address.ts'

/** As a coding agent asks. */
const accept = 'text/markdown, text/html, */*'
const bytesMax = 4_096
const pagesPerSite = 60
/** Docent serves something of its own there. */
const ownPages = /^\/(?:search|edit)$/

export interface AddressResult extends WrongAddress {
  how: 'served' | 'redirected' | 'first' | 'within five' | 'lost'
}

export interface AddressReport {
  results: AddressResult[]
  /** By kind of harm, addresses that did it. */
  harms: Map<string, string[]>
}

interface Fetched {
  status: number
  hops: number
  text: string
}

/** Asks a served site for wrong addresses of its pages. @param base Of the site, without a trailing slash. */
export async function tryAddresses(base: string, site: SiteContent): Promise<AddressReport> {
  const harms = new Map<string, string[]>()
  const harm = (kind: string, path: string) => harms.set(kind, [...(harms.get(kind) ?? []), path])
  const wrong = listWrongAddresses(site)
  const texts = new Map<string, Promise<string>>()
  const textOf = (page: string) => {
    const text = texts.get(page) ?? fetchPage(`${base}${markdownPath(page)}`).then((fetched) => fetched.text)
    texts.set(page, text)
    return text
  }
  const results: AddressResult[] = []
  for (const address of wrong) {
    const fetched = await fetchPage(base + address.path)
    const { status, hops, text } = fetched
    const how = judge(fetched, { url: `${base}${markdownPath(address.page)}`, text: await textOf(address.page) })
    results.push({ ...address, how })
    if (hops > 1) harm('more than one redirect', address.path)
    if (status === 404 && Buffer.byteLength(text) > bytesMax) harm('answer too large', address.path)
    if (how === 'lost' && status === 200 && certainKinds.test(address.kind))
      harm('led to another page', `${address.path} for ${address.page}`)
  }
  for (const path of nonsense) {
    const { status, hops } = await fetchPage(base + path)
    if (status === 200 || hops > 0) harm('found something for nonsense', path)
  }
  return { results, harms }
}

/** What the invented pages of every site lead to. */
export async function tryInvented(base: string): Promise<string[]> {
  const lost: string[] = []
  for (const path of invented) {
    const { status, text } = await fetchPage(base + path)
    if (status !== 200 && !text.includes('The nearest pages:')) lost.push(path)
  }
  return lost
}

const markdownPath = (page: string) => `${page === '/' ? '/index' : encodeURI(page)}.md`

function judge({ status, hops, text }: Fetched, page: { url: string; text: string }): AddressResult['how'] {
  if (status === 200 && text === page.text) return hops === 0 ? 'served' : 'redirected'
  if (status !== 404) return 'lost'
  const links = Array.from(text.matchAll(/^- \[.*?\]\((\S+?)\)/gm), ([, link]) => link)
  const place = links.indexOf(page.url.replaceAll('(', '%28').replaceAll(')', '%29'))
  return place === 0 ? 'first' : place > 0 && place < 5 ? 'within five' : 'lost'
}

async function fetchPage(url: string): Promise<Fetched> {
  let address = url
  for (let hops = 0; ; hops++) {
    const response = await fetch(address, { headers: { accept }, redirect: 'manual' })
    const text = await response.text()
    const next = response.headers.get('location')
    if (next === null || hops === 5) return { status: response.status, hops, text }
    const target = new URL(next, address)
    if (target.host !== new URL(url).host) return { status: response.status, hops: hops + 1, text: '' }
    address = target.href
  }
}

function listWrongAddresses({ pages, redirects = [], ...site }: SiteContent): WrongAddress[] {
  const usual = pages.filter(
    ({ isListed, isPublic, version, language }) =>
      isListed &&
      isPublic &&
      (version ?? site.defaultVersion) === site.defaultVersion &&
      (language ?? site.defaultLanguage) === site.defaultLanguage,
  )
  const paths = new Set(pages.map(({ path }) => path))
  const step = Math.max(1, Math.floor(usual.length / pagesPerSite))
  const chosen = usual.filter((page, at) => at % step === 0 && page.path !== '/').slice(0, pagesPerSite)
  const mutated = chosen.flatMap(({ path, title, markdown }, place) => {
    return mutateAddress({ path, title, headings: listHeadings(markdown) }, place)
  })
  const moved = redirects.flatMap(({ source, destination }) => {
    const page = destination.replace(/#.*$/, '').replace(/(?<=.)\/$/, '')
    const isPlain = !/[:*()[\]]/.test(source) && source.startsWith('/')
    return isPlain && paths.has(page) && !paths.has(source) ? [{ kind: 'moved by the site', path: source, page }] : []
  })
  const ambiguous = listAmbiguous(usual)
  const sources = new Set(redirects.map(({ source }) => source))
  const isPage = (path: string) =>
    ownPages.test(path) ||
    sources.has(path.replace(/\.md$/, '')) ||
    paths.has(path.replace(/[?#].*$/, '').replace(/\.mdx?$/, ''))
  const isKept = ({ kind, path }: WrongAddress) => /^(?:spelling|ending|escape|query|moved)/.test(kind) || !isPage(path)
  const isCertain = ({ path }: WrongAddress) => !ambiguous.has(path)
  return [...mutated.filter(isCertain), ...moved.slice(0, 300)].filter(isKept)
}

/** Addresses that can be made from several pages, such as that of a heading that they share: no one page is right. */
function listAmbiguous(pages: SiteContent['pages']): Set<string> {
  const pagesByAddress = new Map<string, Set<string>>()
  for (const [place, { path, title, markdown }] of pages.entries()) {
    const headings = listHeadings(markdown)
    const made = [null, ...headings].flatMap((heading) =>
      mutateAddress({ path, title, headings: heading === null ? [] : [heading] }, place).filter(
        ({ kind }) => heading === null || kind === 'heading',
      ),
    )
    for (const wrong of made) {
      pagesByAddress.set(wrong.path, (pagesByAddress.get(wrong.path) ?? new Set()).add(path))
    }
  }
  return new Set([...pagesByAddress].filter(([, some]) => some.size > 1).map(([address]) => address))
}

const listHeadings = (markdown: string) =>
  Array.from(markdown.matchAll(/^## (.+?)(?: \{#.*\})?$/gm), ([, heading]) => heading ?? '')

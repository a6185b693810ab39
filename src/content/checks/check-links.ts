import { decodeAddress, resolveSourcePath } from '../trees/source-path.ts'
import { anchorKey } from '../links/anchor-key.ts'
import { markdownFormat } from '../formats/markdown/markdown-format.ts'
import { type Fault, makeFault } from './problem.ts'
import type { OutlinePage, SiteOutline } from './site-outline.ts'
import type { SiteState } from './site-state.ts'

/** A link's target within the site. */
export interface LinkTarget {
  /** As `SitePage.path`. */
  path: string
  /** Without the `#`; empty if there is none. */
  anchor: string
}

/** Resolves a link of a page; null if it leaves the site or cannot be checked. */
export function resolveTarget(page: OutlinePage, url: string): LinkTarget | 'outside' | null {
  const written = url.trim()
  if (written === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(written) || /[{}]/.test(written)) return null
  // The pages that show a snippet are unknown here.
  if (!page.isRouted && written.startsWith('#')) return null
  const resolved = page.library.dialect.resolveLink(written, page)
  if (resolved === null) return 'outside'
  if (!resolved.startsWith('/')) return null
  const [, path = '', , anchor = ''] = /^([^?#]*)(\?[^#]*)?(?:#([\s\S]*))?$/.exec(resolved) ?? []
  return { path: normalizePath(path), anchor: anchor.startsWith(':~:') || anchor.startsWith('/') ? '' : anchor }
}

/**
 * Finds the broken links of a page.
 *
 * @param wants Selects the links to check.
 */
export async function checkLinks(
  state: SiteState,
  page: OutlinePage,
  wants: (url: string, target: LinkTarget | 'outside') => boolean,
): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const { url, line } of (await state.facts(page)).links) {
    const target = resolveTarget(page, url)
    if (target === null || !wants(url, target)) continue
    const fault = await findLinkFault(state, page, url, target)
    if (fault !== null) faults.push({ ...makeFault({ ...fault, path: page.file, line, detail: url }), ...fault })
  }
  return faults
}

/** Without a severity, that of its rule counts. */
type LinkFault = Pick<Fault, 'rule' | 'message'> & Partial<Pick<Fault, 'severity'>>

async function findLinkFault(
  state: SiteState,
  page: OutlinePage,
  url: string,
  target: LinkTarget | 'outside',
): Promise<LinkFault | null> {
  const shown = JSON.stringify(url.slice(0, 200))
  if (target === 'outside') {
    return { rule: 'link-broken', message: `The link ${shown} points outside the site. Correct its address.` }
  }
  const { outline } = state
  const file = outline.routes.get(target.path)
  if (file === undefined) {
    if (isServed(outline, page, url, target)) return null
    const message = `The link ${shown} is broken: no page exists at ${target.path}. Correct its address or remove it.`
    return { rule: 'link-broken', message, ...(!isCertain(state, url) && { severity: 'warn' as const }) }
  }
  return findAnchorFault(state, file, shown, target)
}

async function findAnchorFault(
  state: SiteState,
  file: string,
  shown: string,
  { path, anchor }: LinkTarget,
): Promise<LinkFault | null> {
  const key = anchorKey(anchor)
  const page = key === '' ? null : await state.outline.page(file)
  if (page === null) return null
  const { anchors } = await state.facts(page)
  if (anchors.size === 0 || anchors.has(key)) return null
  const message = `The link ${shown} points to a section that does not exist on ${path}. Correct the part after "#".`
  return { rule: 'anchor-broken', message }
}

/** Whether a link leads to something other than a page, such as a static file or a redirect. */
function isServed({ links, tree }: SiteOutline, page: OutlinePage, url: string, { path }: LinkTarget): boolean {
  const written = decodeAddress(url.trim().replace(/[?#].*$/, ''))
  const file = resolveSourcePath(page.file, written)
  const name = written.replace(/^(?:\.{0,2}\/)+/, '')
  return links.find(path) !== null || links.find(name) === 'file' || (file !== null && tree.paths.includes(file))
}

/**
 * Whether a missing page is certainly an error. In a plain folder of files, an absolute path may refer to another site.
 */
function isCertain({ outline }: SiteState, url: string): boolean {
  if (/\.[a-z0-9]{2,5}(?:[?#]|$)/i.test(url) && !/\.(?:mdx?|html?)(?:[?#]|$)/i.test(url)) return false
  return outline.format !== markdownFormat || !url.startsWith('/')
}

/** Finds redirects of a navigation file whose destination is within the site but leads to nothing. */
export function checkRedirects({ outline }: SiteState): Fault[] {
  const file = outline.format.navigationFile
  if (file === undefined) return []
  return outline.redirects.flatMap(({ source, destination }) => {
    const path = normalizePath(destination.replace(/[?#].*$/, ''))
    const isElsewhere = !/^\/(?!\/)/.test(destination) || /[:*]/.test(destination)
    if (isElsewhere || outline.links.find(path) !== null) return []
    const shown = JSON.stringify(source.slice(0, 200))
    const message = `The redirect from ${shown} is broken: no page exists at ${path}. Point it to an existing page.`
    const detail = JSON.stringify([source, destination])
    return [makeFault({ rule: 'redirect-broken', path: file, line: null, message, detail })]
  })
}

function normalizePath(path: string): string {
  return `/${decodeAddress(path).replace(/^\/+|\/+$/g, '')}`
}

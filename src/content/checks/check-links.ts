import { decodeAddress, resolveSourcePath } from '../trees/source-path.ts'
import { anchorKey } from './anchor-key.ts'
import { markdownFormat } from '../formats/markdown/markdown-format.ts'
import type { Fault } from './problem.ts'
import type { OutlinePage } from './site-outline.ts'
import type { SiteState } from './site-state.ts'

/** Where a link leads to, within the site. */
export interface LinkTarget {
  /** As `SitePage.path`. */
  path: string
  /** Without the `#`; empty for none. */
  anchor: string
}

/** Where a link of a page leads; null where it leaves the site or leads to a place that is not of this kind. */
export function resolveTarget(page: OutlinePage, url: string): LinkTarget | 'outside' | null {
  const written = url.trim()
  if (written === '' || /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(written) || /[{}]/.test(written)) return null
  // A snippet is shown on pages that are not known here.
  if (!page.isRouted && written.startsWith('#')) return null
  const resolved = page.library.dialect.resolveLink(written, page)
  if (resolved === null) return 'outside'
  if (!resolved.startsWith('/')) return null
  const [, path = '', , anchor = ''] = /^([^?#]*)(\?[^#]*)?(?:#([\s\S]*))?$/.exec(resolved) ?? []
  return { path: normalizePath(path), anchor: anchor.startsWith(':~:') || anchor.startsWith('/') ? '' : anchor }
}

/**
 * The broken links of a page.
 *
 * @param wants Which links are looked at.
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
    if (fault !== null) faults.push({ ...fault, path: page.file, line, detail: url })
  }
  return faults
}

type LinkFault = Pick<Fault, 'rule' | 'message' | 'severity'>

async function findLinkFault(
  state: SiteState,
  page: OutlinePage,
  url: string,
  target: LinkTarget | 'outside',
): Promise<LinkFault | null> {
  const shown = JSON.stringify(url.slice(0, 200))
  if (target === 'outside') {
    return {
      rule: 'link-broken',
      severity: 'block',
      message: `The link ${shown} leads out of the site. Correct its address.`,
    }
  }
  const { outline } = state
  const file = outline.routes.get(target.path)
  if (file === undefined) {
    if ((await isReachable(state, page, url, target)) || madePaths.test(target.path)) return null
    const severity = isCertain(state, url) ? 'block' : 'warn'
    const message = `The link ${shown} leads to no page: there is no ${target.path}. Correct its address or remove it.`
    return { rule: 'link-broken', severity, message }
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
  const message = `The link ${shown} leads to a section that ${path} does not have. Correct the part after "#".`
  return { rule: 'anchor-broken', severity: 'block', message }
}

/** Paths that sites serve without a file. */
const madePaths =
  /^\/(?:mcp|authed\/mcp|llms(?:-full)?\.txt|sitemap\.xml|robots\.txt|(?:.*\/)?(?:rss|feed|atom)\.xml|_[^/]*\/.*)$/

/** Files that are served as they are, and paths that lead on. */
async function isReachable(state: SiteState, page: OutlinePage, url: string, { path }: LinkTarget): Promise<boolean> {
  const written = decodeAddress(url.trim().replace(/[?#].*$/, ''))
  const file = resolveSourcePath(page.file, written)
  const name = written.replace(/^(?:\.{0,2}\/)+/, '')
  const isFile = state.outline.tree.paths.some(
    (candidate) => candidate === file || candidate === name || candidate.endsWith(`/${name}`),
  )
  return (name !== '' && isFile) || (await state.redirects()).leadsOn(path)
}

/** Whether a missing page is surely missing: in a plain folder of files, an absolute address may be of another place. */
function isCertain({ outline }: SiteState, url: string): boolean {
  if (/\.[a-z0-9]{2,5}(?:[?#]|$)/i.test(url) && !/\.(?:mdx?|html?)(?:[?#]|$)/i.test(url)) return false
  return outline.format !== markdownFormat || !url.startsWith('/')
}

/** The redirects whose destination within the site is no page. */
export async function checkRedirects(state: SiteState): Promise<Fault[]> {
  const { file, list, leadsOn } = await state.redirects()
  const paths = new Set(state.outline.tree.paths)
  return list.flatMap(({ source, destination }) => {
    const path = normalizePath(destination.replace(/[?#].*$/, ''))
    const isElsewhere = !/^\/(?!\/)/.test(destination) || /[:*]/.test(destination) || madePaths.test(path)
    if (isElsewhere || state.outline.routes.has(path) || leadsOn(path) || paths.has(path.slice(1))) return []
    const shown = JSON.stringify(source.slice(0, 200))
    const message = `The redirect of ${shown} leads to no page: there is no ${path}. Let it lead to a page that is there.`
    const detail = JSON.stringify([source, destination])
    return [{ rule: 'redirect-broken', path: file, line: null, message, severity: 'warn' as const, detail }]
  })
}

function normalizePath(path: string): string {
  return `/${decodeAddress(path).replace(/^\/+|\/+$/g, '')}`
}

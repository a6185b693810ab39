import { mapRootLinks } from '../content/markdown/map-root-links.ts'
import type { Site } from '../store/sites/sites.ts'

/** Base URL of a site for readers, without a trailing slash: its own address, else the pages that Docent serves. */
export function siteUrl(site: Pick<Site, 'slug' | 'baseUrl'>, baseUrl: string): string {
  return site.baseUrl?.replace(/\/+$/, '') ?? `${baseUrl}/sites/${site.slug}`
}

/**
 * Base URL of a site's page paths. Some formats publish below a path that all page paths begin with; owners may write
 * the site's address with or without it.
 *
 * @param basePath As `IndexHeader.basePath`.
 * @returns Without a trailing slash; page paths are appended to it.
 */
export function pagesUrl(site: Pick<Site, 'slug' | 'baseUrl'>, baseUrl: string, basePath = '/'): string {
  const url = siteUrl(site, baseUrl)
  if (site.baseUrl === null) return url
  const written = segmentsOf(new URL(url).pathname)
  const base = segmentsOf(basePath)
  for (let shared = Math.min(written.length, base.length); shared > 0; shared--) {
    const kept = written.length - shared
    if (written.slice(kept).join('/') !== base.slice(0, shared).join('/')) continue
    return [new URL(url).origin, ...written.slice(0, kept)].join('/')
  }
  return url
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** The absolute URL of a passage or page. */
export function pageHref(site: { url: string }, path: string, anchor: string | null): string {
  return `${site.url}${encodeURI(path === '/' ? '' : path)}${anchor === null ? '' : `#${encodeURIComponent(anchor)}`}`
}

/**
 * A site's Markdown for readers outside the site, where its root-relative links would lead nowhere. They lead to the
 * published pages, because only those have an address that every reader can open.
 */
export function makeLinksAbsolute(site: { url: string }, markdown: string): string {
  return mapRootLinks(markdown, (target) => placeTarget(site.url, target))
}

/**
 * A root-relative link target below the URL or the path of a site, where its start page has no slash of its own, as in
 * `pageHref`.
 */
export function placeTarget(base: string, target: string): string {
  return base === '' ? target : base + target.replace(/^\/(?=[?#]|$)/, '')
}

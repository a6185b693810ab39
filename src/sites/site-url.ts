import type { Site } from '../store/sites/sites.ts'

/**
 * Where readers find a site, without a slash at the end: its own address, else the pages that Docent itself serves.
 */
export function siteUrl(site: Pick<Site, 'slug' | 'baseUrl'>, baseUrl: string): string {
  return site.baseUrl?.replace(/\/+$/, '') ?? `${baseUrl}/sites/${site.slug}`
}

/**
 * Where the paths of a site's pages begin. Some formats publish below a path that all their pages begin with, and owners
 * write the address of such a site with that path or without it; both mean the same site.
 *
 * @param basePath As `IndexHeader.basePath`.
 * @returns Without a slash at the end; the address of a page is this and its path.
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

/** The absolute address of a passage or page. */
export function pageHref(site: { url: string }, path: string, anchor: string | null): string {
  return `${site.url}${encodeURI(path === '/' ? '' : path)}${anchor === null ? '' : `#${encodeURIComponent(anchor)}`}`
}

import type { Site } from '../store/sites.ts'

/**
 * Where readers find a site, without a slash at the end: its own address, else the pages that Docent itself serves.
 */
export function siteUrl(site: Pick<Site, 'slug' | 'baseUrl'>, baseUrl: string): string {
  return site.baseUrl?.replace(/\/+$/, '') ?? `${baseUrl}/sites/${site.slug}`
}

/** The absolute address of a passage or page. */
export function pageHref(site: { url: string }, path: string, anchor: string | null): string {
  return `${site.url}${encodeURI(path === '/' ? '' : path)}${anchor === null ? '' : `#${encodeURIComponent(anchor)}`}`
}

import type { LiveSite } from '../../sites/live-sites.ts'

export type { ListedPage } from '../../search/search-query.ts'

/** Where Docent serves the site, regardless of the site's own host. */
export function siteBase(site: Pick<LiveSite, 'slug'>): string {
  return `/sites/${site.slug}`
}

export function sitePath(site: Pick<LiveSite, 'slug'>, path: string): string {
  return `${siteBase(site)}${path === '/' ? '' : encodeURI(path)}`
}

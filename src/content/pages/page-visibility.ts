/** The settings that decide where a page appears. */
export interface VisibilitySettings {
  /** Whether the site's configuration names the page anywhere. */
  isInNavigation: boolean
  /** `hidden` of the page's frontmatter. False is not the same as absent: it takes a page back out of a hidden group. */
  hidden: boolean | undefined
  noindex: boolean | undefined
  /** `searchable` of the page's frontmatter. Only false has an effect. */
  searchable: boolean | undefined
  /** Whether a tab or group around the page is hidden. */
  isAncestorHidden: boolean
  /** `searchable` of the nearest tab or group that sets it, no farther than the innermost hidden one. */
  ancestorSearchable: boolean | undefined
  /** `seo.indexing` of the site. */
  indexing: 'navigable' | 'all'
}

export interface PageVisibility {
  isInSidebar: boolean
  /** Site search and the assistant: they always agree. */
  isSearchable: boolean
  isInSitemap: boolean
  /** `llms.txt`. */
  isListed: boolean
}

const nowhere: PageVisibility = { isInSidebar: false, isSearchable: false, isInSitemap: false, isListed: false }

/**
 * Where a page appears. A page that appears nowhere is not part of the site: it may be reachable by its address, but
 * must not be mentioned. Pure.
 */
export function pageVisibility(settings: VisibilitySettings): PageVisibility {
  const isConcealed = settings.hidden ?? settings.isAncestorHidden
  const isInSidebar = settings.isInNavigation && settings.hidden !== true && !settings.isAncestorHidden
  if (settings.noindex === true) return { ...nowhere, isInSidebar }
  const isTakenIn =
    settings.indexing === 'all' ||
    (settings.isInNavigation && (!isConcealed || (settings.hidden !== true && settings.ancestorSearchable === true)))
  if (!isTakenIn) return { ...nowhere, isInSidebar }
  const isSearchable = settings.searchable !== false && settings.ancestorSearchable !== false
  return { isInSidebar, isSearchable, isInSitemap: true, isListed: true }
}

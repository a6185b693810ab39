export interface VisibilitySettings {
  /** Whether the site's configuration names the page anywhere. */
  isInNavigation: boolean
  /** `hidden` in the page's frontmatter. False differs from absent: it makes a page of a hidden group visible again. */
  hidden: boolean | undefined
  noindex: boolean | undefined
  /** `searchable` in the page's frontmatter. Only false has an effect. */
  searchable: boolean | undefined
  /** Whether a tab or group around the page is hidden. */
  isAncestorHidden: boolean
  /** `searchable` of the nearest tab or group that sets it, up to the innermost hidden one. */
  ancestorSearchable: boolean | undefined
  /** `seo.indexing` of the site. */
  indexing: 'navigable' | 'all'
}

export interface PageVisibility {
  isInSidebar: boolean
  /** In site search and for the assistant, which always agree. */
  isSearchable: boolean
  isInSitemap: boolean
  /** In `llms.txt`. */
  isListed: boolean
}

const nowhere: PageVisibility = { isInSidebar: false, isSearchable: false, isInSitemap: false, isListed: false }

/**
 * Determines where a page appears. A page that appears nowhere is not part of the site: it may be reachable by its
 * address, but must not be mentioned. Pure.
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

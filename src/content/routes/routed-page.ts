import type { NavigationPlace } from '../pages/navigation-entry.ts'

/** A file of a site with the address that its format gives it, before the file is read. */
export interface RoutedPage {
  file: string
  /** As `SitePage.path`. */
  path: string
  place: NavigationPlace
  /** The name that the navigation gives it; null where it gives none. */
  title: string | null
  isInNavigation: boolean
  /** Whether the site's own search finds it. */
  isSearchable: boolean
}

/** Puts parts of a path together: one slash between them, none at the end, `/` for nothing. Pure. */
export function joinRoute(...parts: readonly string[]): string {
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '' && segment !== '.')
  return `/${segments.join('/')}`
}

/** The path of an address or of a path; `/` for what is neither. Pure. */
export function pathOfUrl(url: string): string {
  const base = URL.parse(url, 'https://base.invalid')
  if (base === null) return '/'
  try {
    return joinRoute(decodeURIComponent(base.pathname))
  } catch {
    return joinRoute(base.pathname)
  }
}

import { decodeAddress } from '../trees/source-path.ts'

/** A page file with the address that its format assigns, before the file is read. */
export interface RoutedPage {
  file: string
  /** As `SitePage.path`. */
  path: string
  section: readonly string[]
  language: string | null
  version?: string | null
  /** Title in the navigation; null if none. */
  title: string | null
  isInNavigation: boolean
  /** Whether the site's own search includes it. */
  isSearchable: boolean
}

/** Joins path parts with single slashes; no trailing slash, `/` if empty. Pure. */
export function joinRoute(...parts: readonly string[]): string {
  const segments = parts.flatMap((part) => part.split('/')).filter((segment) => segment !== '' && segment !== '.')
  return `/${segments.join('/')}`
}

/** `guides/index.md` → `/base/guides`. Pure. */
export function routeOfFile(base: string, name: string): string {
  return joinRoute(base, name.replace(/\.mdx?$/i, '').replace(/(^|\/)index$/, '$1'))
}

/** The path of a URL or path; `/` if it is neither. Pure. */
export function pathOfUrl(url: string): string {
  const parsed = URL.parse(url, 'https://base.invalid')
  return parsed === null ? '/' : joinRoute(decodeAddress(parsed.pathname))
}

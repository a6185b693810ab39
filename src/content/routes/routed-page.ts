import { decodeAddress } from '../trees/source-path.ts'

/** A file of a site with the address that its format gives it, before the file is read. */
export interface RoutedPage {
  file: string
  /** As `SitePage.path`. */
  path: string
  section: readonly string[]
  language: string | null
  version?: string | null
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

/** `guides/index.md` → `/base/guides`. Pure. */
export function routeOfFile(base: string, name: string): string {
  return joinRoute(base, name.replace(/\.mdx?$/i, '').replace(/(^|\/)index$/, '$1'))
}

/** The path of an address or of a path; `/` for what is neither. Pure. */
export function pathOfUrl(url: string): string {
  const parsed = URL.parse(url, 'https://base.invalid')
  return parsed === null ? '/' : joinRoute(decodeAddress(parsed.pathname))
}

import type { SiteContent, SitePage } from '../site-page.ts'
import { decodeAddress, isPageFile, pagePathOf } from '../trees/source-path.ts'
import { createNearestFinder, lastOf } from './nearest-address.ts'
import { isGeneratedPath } from './generated-paths.ts'
import { matchPathPatterns, normalizeAddress } from './path-patterns.ts'
import type { Redirect } from './redirect.ts'
import { joinRoute } from '../routes/routed-page.ts'
import { filesBelow } from '../routes/site-roots.ts'

/** What a site serves at an address. `elsewhere`: another site of the same host. */
export type Served = 'page' | 'redirect' | 'file' | 'generated' | 'code' | 'elsewhere'

/** Answers what the links of a site lead to. */
export interface SiteLinks {
  /** Address → file, for every page, in the navigation or not. */
  routes: ReadonlyMap<string, string>
  /** @param path Root-relative; query and anchor are ignored. Null if nothing is served there. */
  find: (path: string) => Served | null
  /** The address of the page with the most similar address; null if none is similar. */
  findNearest: (path: string) => string | null
}

export interface SiteLinksInput {
  site: Pick<SiteContent, 'defaultLanguage' | 'basePath'> & { pages: readonly SitePage[] }
  paths: ReadonlySet<string>
  /** The site's folder in the tree. */
  root: string
  /** File → address of pages that the site publishes without listing them, besides `site.pages`. */
  routes: ReadonlyMap<string, string>
  redirects: readonly Redirect[]
  /** Addresses of pages that are not read, as patterns. */
  unread: readonly string[]
  format: { hasFileAddresses?: true; hasGivenAddresses?: true; hasLanguageFallback?: true; navigationFile?: string }
}

export function createSiteLinks(input: SiteLinksInput): SiteLinks {
  const { site, paths, root } = input
  const base = site.basePath ?? '/'
  const routes = listRoutes(input)
  const code = listCodePages(paths, root, base).filter((pattern) => !showsPages(pattern, routes))
  const isCode = matchPathPatterns([...code, ...input.unread])
  // Fallbacks such as `/*` say nothing about an address.
  const sources = input.redirects.map(({ source }) => source).filter((source) => !/^\/?[^/]*\*/.test(source))
  const isRedirect = matchPathPatterns(sources)
  // Hosts have a start page, and pages for their large sections, wherever these are made.
  const sections = new Set([...routes.keys()].map((path) => `/${path.split('/')[1]}`))
  const isFile = createFileFinder(paths, base)
  const isInside = (path: string) => base === '/' || path === base || path.startsWith(`${base}/`)
  // Code pages beside the documentation show that the project serves the whole host.
  const isWholeHost = code.some((pattern) => !isInside(pattern))
  const find = (address: string): Served | null => {
    const path = normalizeAddress(decodeAddress(address))
    if (routes.has(path)) return 'page'
    if (isRedirect(path)) return 'redirect'
    if (isGeneratedPath(path)) return 'generated'
    if (isCode(path)) return 'code'
    if (isFile(path)) return 'file'
    if (path === '/' || sections.has(path)) return 'elsewhere'
    // A crawl or a list of pages may contain a part of the host only.
    if (input.format.hasGivenAddresses === true) return 'elsewhere'
    return isInside(path) || isWholeHost ? null : 'elsewhere'
  }
  return { routes, find, findNearest: createNearestFinder(routes) }
}

/** Whether a pattern such as `/docs/*` is the code that shows the site's own pages. */
function showsPages(pattern: string, routes: ReadonlyMap<string, string>): boolean {
  if (!/[:*]/.test(pattern)) return false
  const matches = matchPathPatterns([pattern])
  return routes.keys().some((path) => matches(path))
}

/** Tells static files by the end of their path, because sites serve several folders at their root. */
function createFileFinder(paths: ReadonlySet<string>, base: string): (path: string) => boolean {
  const byName = Map.groupBy(
    [...paths].map((path) => `/${path}`),
    lastOf,
  )
  return (path) => {
    const ends = base === '/' || !path.startsWith(`${base}/`) ? [path] : [path, path.slice(base.length)]
    const found = byName.get(lastOf(path)) ?? []
    return ends.some((end) => found.some((file) => file.endsWith(end)))
  }
}

function listRoutes({ site, paths, routes: unlisted, format }: SiteLinksInput): Map<string, string> {
  const routes = new Map<string, string>()
  if (format.hasFileAddresses === true) {
    for (const file of paths) {
      const isPart = format.navigationFile !== undefined && file.startsWith('snippets/')
      if (isPageFile(file) && !isPart) routes.set(pagePathOf(file), file)
    }
  }
  for (const [file, path] of unlisted) routes.set(path, file)
  for (const { path, file } of site.pages) routes.set(path, file)
  return format.hasLanguageFallback === true ? addFallbacks(routes, site) : routes
}

function addFallbacks(
  routes: ReadonlyMap<string, string>,
  { pages, defaultLanguage }: { pages: readonly SitePage[]; defaultLanguage: string | null },
): Map<string, string> {
  const all = new Map<string, string>()
  const languages = new Set(pages.flatMap(({ language }) => (language === null ? [] : [language.toLowerCase()])))
  const firstParts = new Set([...routes.keys()].map((path) => path.split('/')[1] ?? ''))
  const prefixes = [...firstParts].filter((part) => languages.has(part.toLowerCase()))
  for (const { path, file, language } of pages) {
    if (language !== defaultLanguage) continue
    const bare = path.split('/')[1] === language ? path.slice(language.length + 1) : path
    for (const prefix of prefixes) all.set(`/${prefix}${bare === '/' ? '' : bare}`, file)
  }
  for (const [path, file] of routes) all.set(path, file)
  return all
}

/** Pages of Docusaurus, Astro and Next.js that are code, below the site's folder. */
const ofPages = /^(?:src\/)?pages\/(.+)\.(?:[jt]sx?|astro|html|svelte|vue)$/
const ofApp = /^(?:src\/)?app\/(?:(.+)\/)?(?:page|route)\.[jt]sx?$/

/**
 * Lists the addresses of pages that are code and therefore not read, as patterns: `app/blog/[slug]/page.tsx` →
 * `/blog/:slug`.
 *
 * @param base The path of the site, below which `pages` is served. An `app` folder contains the site instead.
 */
function listCodePages(paths: Iterable<string>, folder: string, base: string): string[] {
  return [...filesBelow(paths, folder).keys()].flatMap((name) => {
    const ofBase = ofPages.exec(name)?.[1]
    if (ofBase !== undefined) return [joinRoute(base, patternOf(ofBase))]
    const [match, route = ''] = ofApp.exec(name) ?? []
    return match === undefined ? [] : [patternOf(route)]
  })
}

function patternOf(route: string): string {
  const segments = route.split('/').filter((segment) => !/^\(.*\)$|^@/.test(segment))
  if (segments.at(-1) === 'index') segments.pop()
  return joinRoute(
    ...segments.map((segment) =>
      segment.includes('[...') ? '*' : segment.replace(/^\[([^\]]*)\].*$/, (_, name: string) => `:${name}`),
    ),
  )
}

import { joinRoute } from './routed-page.ts'
import { decodeAddress, resolveLink, resolveSourcePath } from '../trees/source-path.ts'

export interface RouteLinksOptions {
  /** Address of each page file. */
  routes: ReadonlyMap<string, string>
  /** Folders of the tree that links to files starting with `/` may be relative to. */
  roots: readonly string[]
  /** Prefix for links that start with `/`; `/` if the format takes them as written. */
  base: string
  /** Whether pages have a trailing slash, which makes relative links start one level deeper. */
  hasTrailingSlash: boolean
  /** Whether links to files without `./` may start at `roots` as well. */
  triesRoots?: true
}

type LinkResolver = (url: string, from: { file: string; path: string }) => string | null

const extension = /\.(?:mdx?|html?)$/i

/**
 * Makes links root-relative on sites whose addresses do not follow from files: a link may be a file, with or without
 * extension, or an address, relative to the site's root or to the page. If several match, an existing page wins.
 */
export function createRouteLinks(options: RouteLinksOptions): LinkResolver {
  const { routes, base } = options
  const stems = new Map<string, string>()
  for (const [file, path] of routes) stems.set(file.replace(extension, ''), path)
  const known = new Set(routes.values())
  return (url, from) => {
    const [, target = '', suffix = ''] = /^([^?#]*)([\s\S]*)$/.exec(url.trim()) ?? []
    // Schemes, other hosts and bare anchors are the same in all formats.
    if (target === '' || target.startsWith('//') || /^[^/?#]*:/.test(target)) return resolveLink(url, from)
    const decoded = decodeAddress(target)
    const file = filesOf(decoded, from.file, options).find((candidate) => routes.has(candidate) || stems.has(candidate))
    const ofFile = file === undefined ? undefined : (routes.get(file) ?? stems.get(file))
    const isFile = extension.test(decoded)
    const addresses = addressesOf(decoded, from, options)
    const address = addresses.find((candidate) => known.has(candidate))
    const found = isFile ? (ofFile ?? address) : (address ?? ofFile)
    if (found !== undefined) return `${found}${suffix}`
    // Other HTML files are static or made by the build; without their extension they would look like pages.
    const html = /\.html?$/i.exec(target)?.[0] ?? ''
    if (addresses[0] !== undefined) return `${addresses[0]}${html}${suffix}`
    // A page above the site's folder is no page of the site, so the link is dead, and is to be reported. A README is at hand
    // on the forge only, and its address would be that of the start page.
    const above = /^(?:\.\.?\/)+(.+)\.mdx?$/i.exec(decoded)?.[1] ?? 'README'
    return /(?:^|\/)README$/i.test(above) ? null : `${base === '/' ? '' : base}/${above}${suffix}`
  }
}

/** Candidate files of a link, also without extension. */
function filesOf(target: string, fromFile: string, { roots, triesRoots }: RouteLinksOptions): string[] {
  const bare = target.replace(/\/+$/, '')
  const stem = bare.replace(extension, '')
  const isAbsolute = target.startsWith('/')
  const ofRoots = isAbsolute || (triesRoots === true && !target.startsWith('.'))
  const resolved = [
    ...(isAbsolute ? [] : [resolveSourcePath(fromFile, bare)]),
    ...(ofRoots ? roots.map((root) => resolveSourcePath('', `${root}${bare}`)) : []),
  ]
  return resolved.flatMap((file) => {
    if (file === null) return []
    const name = bare === stem ? file : file.replace(extension, '')
    return [file, name, `${name}/index`.replace(/^\//, ''), `${name}/README`.replace(/^\//, '')]
  })
}

/** Candidate addresses of a link, most likely first. */
function addressesOf(
  target: string,
  from: { file: string; path: string },
  { base, hasTrailingSlash }: RouteLinksOptions,
): string[] {
  const bare = target.replace(extension, '').replace(/(^|\/)index$/, '$1')
  if (target.startsWith('/')) {
    const written = joinRoute(bare)
    return base === '/' || written === base || written.startsWith(`${base}/`)
      ? [written]
      : [joinRoute(base, bare), written]
  }
  const deeper = resolveSourcePath(from.path === '/' ? 'x' : `${from.path.slice(1)}/x`, bare)
  const beside = resolveSourcePath(from.path.slice(1), bare)
  // A folder's page has a trailing slash.
  const isFolder = hasTrailingSlash || /(?:^|\/)(?:index|README)\.mdx?$/.test(from.file)
  const found = isFolder ? [deeper, beside] : [beside, deeper]
  return found.filter((path) => path !== null).map((path) => joinRoute(path))
}

import { basename, join } from 'node:path/posix'
import { rankBySimilarity } from '../../content/links/nearest-address.ts'
import { decodeAddress, isPageFile } from '../../content/trees/source-path.ts'
import { executedPathReason, protectedPathReason } from '../../content/walls/protected-paths.ts'
import { AppError } from '../../contract/app-error.ts'
import { checkRepositoryPath, quotePath } from '../../git/repository-path.ts'
import type { SiteMap } from '../checks/job-site-reader.ts'
import type { AgentToolDeps } from './agent-tool.ts'

export type FindDeps = Pick<AgentToolDeps, 'overlay' | 'askSite' | 'subdirectory' | 'site'>

const namedMax = 3

/**
 * Finds the file that a model means: by its path, with or without extension, the folder of the site or a slash before
 * it, by the address of a page, or by a URL of the site or of its code host.
 *
 * @throws {AppError} that names the most similar files, if there is none.
 */
export async function findFile(deps: FindDeps, name: string, signal: AbortSignal): Promise<string> {
  const bare = readName(deps, name)
  const direct = findByPath(deps, bare)
  if (direct !== null) return direct
  const { routes } = await deps.askSite('map', {}, signal)
  const found = findByAddress(deps, routes, bare)
  if (found !== null) return found
  const near = listNear(deps, routes, bare)
  const hint =
    near.length === 0 ? 'List the files to find its path.' : `Did you mean ${near.map(quotePath).join(', ')}?`
  throw new AppError('invalid_request', `There is no file ${quotePath(name)}. ${hint}`)
}

/** The path that a model gives a new file: below the site's folder, without slashes around it. */
export function readNewPath(deps: FindDeps, name: string): string {
  const bare = readName(deps, name)
  const folder = deps.subdirectory === '' ? null : `${deps.subdirectory}/`
  // A folder of the site may have the same name as the site's own.
  const isInside = deps.overlay.paths().some((path) => folder !== null && path.startsWith(folder))
  return folder !== null && !isInside && bare.startsWith(folder) ? bare.slice(folder.length) : bare
}

/**
 * As `readNewPath`, for a file to be written. What begins with a slash is an address below a folder of the site; anything
 * else is the path of a machine.
 *
 * @throws {AppError} for such a path.
 */
export function readNewFile(deps: FindDeps, name: string): string {
  const path = readNewPath(deps, name)
  const [folder = ''] = path.split('/')
  const isOutside = /^\s*[~/]/.test(name) && path.includes('/') && findFolder(deps, folder) === null
  return isOutside ? checkRepositoryPath(name.trim()) : path
}

/** Files such as `CODEOWNERS` and `.gitmodules`, which have no extension: no page is meant. */
export function isReserved(path: string): boolean {
  return /^[A-Z.]/.test(basename(path)) && (protectedPathReason(path) ?? executedPathReason(path)) !== null
}

/**
 * Where a new page shows: below the folder that contains the pages of the site, where its own folder is not, as in
 * `guides/new.md` of a site whose pages are in `docs/`.
 *
 * @param beside A page whose folder counts, as where it moves from; by default, that of most pages.
 */
export async function placeAmongPages(
  deps: FindDeps,
  path: string,
  signal: AbortSignal,
  beside: string | null = null,
): Promise<string> {
  const paths = deps.overlay.paths()
  const [first = ''] = path.split('/')
  const isInside = path.includes('/') && paths.some((other) => other.startsWith(`${first}/`))
  if (!isPageFile(path) || isInside || !/^[^A-Z]/.test(basename(path))) return path
  const { routes } = await deps.askSite('map', {}, signal)
  const ofBeside = routes.filter(([, file]) => file === beside)
  const roots = Map.groupBy(ofBeside.length > 0 ? ofBeside : routes, findRoot)
  const [[root] = ['', []]] = [...roots].toSorted((one, other) => other[1].length - one[1].length)
  return root === '' ? path : join(root, path)
}

/** The folder below which a file is at its address. */
function findRoot([address, file]: SiteMap['routes'][number]): string {
  const stem = file.replace(/(?:(?:^|\/)(?:index|README))?\.\w+$/, '')
  const bare = address.replace(/^\/+|\/+$/g, '')
  if (stem === bare || bare === '') return bare === '' ? stem : ''
  return stem.endsWith(`/${bare}`) ? stem.slice(0, -bare.length - 1) : ''
}

/** A folder of the current files, in the same spellings; null if there is none. */
export function findFolder(deps: FindDeps, name: string): string | null {
  const bare = readName(deps, name)
  if (bare === '' || bare === '.') return ''
  const isFolder = (folder: string) => deps.overlay.paths().some((path) => path.startsWith(`${folder}/`))
  return [bare, readNewPath(deps, bare)].find(isFolder) ?? null
}

/** The name without what models put around paths: quotes, slashes, a fragment, the origin of a URL. */
function readName({ site }: FindDeps, name: string): string {
  const trimmed = name.trim().replace(/^["'`<]+|["'`>]+$/g, '')
  const url = /^https?:\/\//i.test(trimmed) ? URL.parse(trimmed) : null
  const base = site === null ? '' : (URL.parse(site.url)?.pathname.replace(/\/+$/, '') ?? '')
  // Another website as a whole is no page of this one.
  if (url?.pathname === '/' && url.host !== URL.parse(site?.url ?? '')?.host) return trimmed
  const path = url === null ? trimmed : decodeAddress(url.pathname)
  const [, ofHost] = /\/(?:blob|tree|edit|raw|src\/branch)\/[^/]+\/(.+)$/.exec(path) ?? []
  const below = url !== null && base !== '' && path.startsWith(`${base}/`) ? path.slice(base.length) : path
  const bare = ofHost ?? below
  return (url === null ? bare.replace(/[?#].*$/, '') : bare).replace(/^(?:\.?\/)+|\/+$/g, '')
}

const endings = ['', '.mdx', '.md', '/index.mdx', '/index.md', '/README.md']

/** The paths that a name may stand for, in lower case, also of files that are gone. */
export function listSpellings(deps: FindDeps, name: string): ReadonlySet<string> {
  return new Set(listCandidates(deps, readName(deps, name)).map((path) => path.toLowerCase()))
}

function listCandidates(deps: FindDeps, bare: string): string[] {
  const names = [bare, readNewPath(deps, bare), bare.replace(/\.(?:html?|mdx?)$/i, '')]
  return names.flatMap((name) => endings.map((ending) => (name === '' ? ending.slice(1) : name + ending)))
}

function findByPath(deps: FindDeps, bare: string): string | null {
  const { overlay } = deps
  const candidates = listCandidates(deps, bare)
  const found = candidates.find((candidate) => candidate !== '' && overlay.has(candidate))
  if (found !== undefined) return found
  const wanted = new Set(candidates.map((candidate) => candidate.toLowerCase()))
  const alike = overlay.paths().filter((path) => wanted.has(path.toLowerCase()))
  return alike.length === 1 ? (alike[0] ?? null) : null
}

function findByAddress({ overlay }: FindDeps, routes: SiteMap['routes'], bare: string): string | null {
  const wanted = `/${bare.replace(/\.(?:html?|mdx?)$/i, '').replace(/(?:^|\/)index$/, '')}`.toLowerCase()
  const files = (matches: (address: string) => boolean) =>
    [...new Set(routes.filter(([address]) => matches(address.toLowerCase())).map(([, file]) => file))].filter((file) =>
      overlay.has(file),
    )
  const exact = files((address) => address === wanted)
  // Without the path at which the site is published.
  const ending = exact.length > 0 || wanted === '/' ? exact : files((address) => address.endsWith(wanted))
  return ending.length === 1 ? (ending[0] ?? null) : null
}

function listNear({ overlay }: FindDeps, routes: SiteMap['routes'], bare: string): string[] {
  const byAddress = new Map(routes)
  const named = rankBySimilarity(bare, [...overlay.paths(), ...byAddress.keys()], namedMax * 3)
  return [...new Set(named.map((found) => byAddress.get(found) ?? found))]
    .filter((file) => overlay.has(file))
    .slice(0, namedMax)
}

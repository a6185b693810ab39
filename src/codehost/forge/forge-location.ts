import { AppError } from '../../contract/app-error.ts'
import { type ForgeKind, forges, isForgeKind } from '../../contract/code-hosts.ts'
import { parseRemoteUrl } from '../../git/remotes/remote-url.ts'
import { forgeAdapters } from '../forge-adapters.ts'
import type { ForgeRepository } from './forge-host.ts'

/** Identifies a repository on a forge. */
export type ForgeLocation = Omit<ForgeRepository, 'reader'>

/** GitLab groups nest, at most this deep. */
const segmentsMax = 22

/** Some forges call a user's space `~name`. */
const segment = /^(?!~?\.{1,2}$)~?[\w.-]{1,255}$/

/**
 * Parses a repository's web address on a forge, with or without `.git` and a trailing slash.
 *
 * @param source.origin Origin with base path of a forge under a path. Only GitLab needs it, because its groups nest.
 * @returns Null for a source that is not on a forge.
 * @throws {AppError} `invalid_request` for an address that does not name a repository.
 */
export function readForgeLocation(source: {
  kind: string
  location: string
  origin?: string | undefined
}): ForgeLocation | null {
  const { kind, location } = source
  if (!isForgeKind(kind)) return null
  const url = parseRemoteUrl(location)
  const base = source.origin === undefined ? null : parseRemoteUrl(source.origin)
  const prefix = base === null ? '' : base.pathname.replace(/\/+$/, '')
  const isBelow = base === null || (base.origin === url.origin && url.pathname.startsWith(`${prefix}/`))
  const segments = url.pathname
    .slice(prefix.length)
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter(Boolean)
  const split = segments.every((name) => segment.test(name)) ? forgeAdapters[kind].splitAddress(segments) : null
  if (!isBelow || split === null || split.path.length < 2 || split.path.length > segmentsMax) throw refuse(kind)
  const above = split.above.map((name) => `/${name}`).join('')
  return { kind, origin: `${url.origin}${prefix}${above}`, path: split.path.join('/') }
}

/** Web address of a repository. */
export function pageAddress({ kind, origin, path }: ForgeLocation): string {
  return `${origin}/${forgeAdapters[kind].pagePath?.(path) ?? path}`
}

/** Web address where one edits a file of a repository. @param ref Branch; null for the default one. */
export function editAddress({ kind, origin, path }: ForgeLocation, ref: string | null, file: string): string {
  return `${origin}/${forgeAdapters[kind].editPath(path, ref && encodePath(ref), encodePath(file))}`
}

/** Web address of a line of a repository. @param view.commit Commit or branch; null for the default branch. */
export function viewAddress(
  { kind, origin, path }: ForgeLocation,
  view: { commit: string | null; file: string; line: number },
): string {
  const place = { ...view, commit: view.commit && encodePath(view.commit), file: encodePath(view.file) }
  return `${origin}/${forgeAdapters[kind].viewPath(path, place)}`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** Clone address: some forges redirect the web address. */
export function cloneAddress({ kind, origin, path }: ForgeLocation): string {
  return `${origin}/${forgeAdapters[kind].clonePath?.(path) ?? path}.git`
}

/** The same source with a normalized web address, so that each repository has one name. */
export function normalizeForgeSource<Source extends { kind: string; location: string; origin?: string | undefined }>(
  source: Source,
): Source {
  const place = readForgeLocation(source)
  return place === null ? source : { ...source, location: pageAddress(place) }
}

function refuse(kind: ForgeKind): AppError {
  const example = forgeAdapters[kind].exampleAddress
  const message = `This is not the address of a repository on ${forges[kind].label}. It looks like ${example}.`
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}

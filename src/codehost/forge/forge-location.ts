import { AppError } from '../../contract/app-error.ts'
import { type ForgeKind, forges, isForgeKind } from '../../contract/code-hosts.ts'
import { parseRemoteUrl } from '../../git/remotes/remote-url.ts'
import { forgeAdapters } from '../forge-adapters.ts'
import type { ForgeRepository } from './forge-host.ts'

/** Which repository of which forge an address names. */
export type ForgeLocation = Omit<ForgeRepository, 'reader'>

/** Groups of GitLab nest, at most this deep. */
const segmentsMax = 22

/** Some forges name the space of a user `~name`. */
const segment = /^(?!~?\.{1,2}$)~?[\w.-]{1,255}$/

/**
 * Reads the address of a repository on a forge as people know it, with or without `.git` and a slash at the end.
 *
 * @param source.origin Where the forge lies, for one under a path: only GitLab needs it, because its groups nest.
 * @returns Null for a source that is on no forge.
 * @throws {AppError} `invalid_request` for an address that names no repository.
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

/** Clone address: the web address redirects on some forges. */
export function cloneAddress({ kind, origin, path }: ForgeLocation): string {
  return `${origin}/${forgeAdapters[kind].clonePath?.(path) ?? path}.git`
}

/** The same source with its address as people know it, so that one repository has one name. */
export function normaliseForgeSource<Source extends { kind: string; location: string; origin?: string | undefined }>(
  source: Source,
): Source {
  const place = readForgeLocation(source)
  return place === null ? source : { ...source, location: pageAddress(place) }
}

function refuse(kind: ForgeKind): AppError {
  const example = forgeAdapters[kind].exampleAddress
  const message = `The address names no repository on ${forges[kind].label}. Write it like ${example}.`
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}

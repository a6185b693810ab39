import { AppError } from '../../contract/app-error.ts'
import { parseRemoteUrl } from '../../git/remote-url.ts'
import type { ForgeRepository } from './forge-host.ts'

const forgeKinds = ['github', 'gitlab', 'gitea'] as const

export type ForgeKind = (typeof forgeKinds)[number]

/** Which repository of which forge an address names. */
export type ForgeLocation = Omit<ForgeRepository, 'reader'>

const kindNames: Readonly<Record<ForgeKind, string>> = { github: 'GitHub', gitlab: 'GitLab', gitea: 'Gitea or Forgejo' }

export function isForgeKind(kind: string): kind is ForgeKind {
  return forgeKinds.some((known) => known === kind)
}

/** The name that people know the forge by. */
export function nameForge(kind: ForgeKind): string {
  return kindNames[kind]
}

/** Groups of GitLab nest, at most this deep. */
const segmentsMax = 22

const segment = /^(?!\.{1,2}$)[\w.-]{1,255}$/

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
  const path = kind === 'gitlab' ? segments : segments.slice(-2)
  const isPath = path.length >= 2 && path.length <= segmentsMax && segments.every((name) => segment.test(name))
  // A GitHub lies at the root of its host; a Gitea may lie under a path, which stands before owner and name.
  if (!isBelow || !isPath || (kind === 'github' && segments.length !== 2)) throw refuse(kind)
  const above = segments.slice(0, segments.length - path.length).map((name) => `/${name}`)
  return { kind, origin: `${url.origin}${prefix}${above.join('')}`, path: path.join('/') }
}

/** The same source with its address as people know it, so that one repository has one name. */
export function normaliseForgeSource<Source extends { kind: string; location: string; origin?: string | undefined }>(
  source: Source,
): Source {
  const place = readForgeLocation(source)
  return place === null ? source : { ...source, location: `${place.origin}/${place.path}` }
}

function refuse(kind: ForgeKind): AppError {
  const example = kind === 'gitlab' ? 'https://gitlab.com/group/project' : 'https://host/owner/name'
  const message = `The address names no repository on ${nameForge(kind)}. Write it like ${example}.`
  return new AppError('invalid_request', message, { details: [{ path: 'source.location', message }] })
}

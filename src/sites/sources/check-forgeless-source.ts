import { isAbsolute } from 'node:path'
import { AddressRefusedError } from '../../base/address-book.ts'
import { isPrivateHost } from '../../base/global-address.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { AppError } from '../../contract/app-error.ts'
import type { SourceCheck, SourceCheckStep } from '../../contract/source-check.ts'
import { readScope } from '../../crawl/crawl-scope.ts'
import { isGitRepository, openCommitTree } from '../../git/trees/commit-tree.ts'
import type { RemoteSource } from '../../git/remotes/mirrors.ts'
import type { GitCredential } from '../../git/remotes/resolve-remote.ts'
import type { SiteSource } from '../../store/sites/sites.ts'
import { refuseUnusedCredential, checkSourceLocation } from './check-source-location.ts'
import { reportDocumentation } from './describe-documentation.ts'
import { joinSubdirectory } from './open-source-tree.ts'
import { requireOutsideService } from './require-outside-service.ts'

export interface PlainSourceDeps {
  /** The service's own data folder, which must not be a source. */
  repositoryFolder: string
  allowsPrivateAddresses: boolean
  /** Resolves a ref of a remote repository; fetches nothing. */
  findTip(source: RemoteSource, signal: AbortSignal): Promise<{ revision: string }>
}

/** The source to check, and its credential. */
export interface ForgelessSource {
  source: SiteSource
  credential: GitCredential | null
  reader: string
}

/** Whether a source is on no forge: a folder, a read-only repository, or a published site. */
export function isForgelessKind(kind: SiteSource['kind'] | undefined): boolean {
  return kind === 'folder' || kind === 'git' || kind === 'crawl'
}

/** The kind of source at a path on this machine, if the caller did not give one; undefined for a URL. */
export async function findLocalKind(location: string): Promise<'folder' | 'git' | undefined> {
  if (!isAbsolute(location)) return undefined
  return (await isGitRepository(location)) ? 'git' : 'folder'
}

/**
 * Checks everything a site needs of a source on no forge, in the same steps as for forges: the files of a local folder
 * or repository, the branch of a remote repository, and only the address of a published site, because its pages are on
 * someone else's server.
 */
export async function checkForgelessSource(
  deps: PlainSourceDeps,
  { source, credential, reader }: ForgelessSource,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const steps: SourceCheckStep[] = []
  const note: Note = (name, state, message) => void steps.push({ name, subject: null, state, message })
  let canRead = false
  try {
    checkSourceLocation(source)
    refuseUnusedCredential(source, credential)
    canRead = await tryOut(deps, { source, credential, reader }, note, signal)
  } catch (error) {
    // Failures of this machine are not a step of the source.
    if (!(error instanceof AppError)) throw error
    note(source.kind === 'crawl' ? 'host' : 'repository', 'failed', error.message)
  }
  return { source, canRead, canPropose: false, steps }
}

type Note = (name: SourceCheckStep['name'], state: SourceCheckStep['state'], message: string) => void

async function tryOut(
  deps: PlainSourceDeps,
  plain: ForgelessSource,
  note: Note,
  signal: AbortSignal,
): Promise<boolean> {
  const { source, credential, reader } = plain
  const { kind, location, ref } = source
  if (kind === 'crawl') {
    requirePublicAddress(location, deps.allowsPrivateAddresses)
    note('host', 'passed', `Pages of ${new URL(location).host} are read, starting at ${location}.`)
    note('documentation', 'skipped', 'Its pages are found during the sync, as robots.txt and the sitemap allow.')
    return true
  }
  if (!isAbsolute(location)) {
    const { revision } = await deps.findTip({ location, ref, credential, reader }, signal)
    note('branch', 'passed', `${ref === null ? 'The main branch' : ref} is at ${revision.slice(0, 12)}.`)
    note('documentation', 'skipped', 'Its files are checked during the sync.')
    return true
  }
  const path = kind === 'folder' ? joinSubdirectory(source) : location
  await requireOutsideService(deps, { path, mayHold: true })
  const paths = await (kind === 'folder' ? listFolder(path, note, signal) : listCommit(source, note, signal))
  reportDocumentation(paths, source, (state, message) => note('documentation', state, message))
  return true
}

/** What the crawl would refuse. Names are judged by the crawl, which resolves them. @throws {AppError} */
function requirePublicAddress(location: string, allowsPrivate: boolean): void {
  const read = readScope(location, allowsPrivate)
  if ('fault' in read) throw new AppError('invalid_request', read.fault)
  const { host, hostname } = read.start
  if (!allowsPrivate && isPrivateHost(hostname)) {
    throw new AppError('invalid_request', new AddressRefusedError(host).message)
  }
}

async function listFolder(path: string, note: Note, signal: AbortSignal): Promise<readonly string[]> {
  const { paths } = await openFolderTree(path, { signal })
  note('repository', 'passed', `The folder is readable and contains ${paths.length.toLocaleString('en')} files.`)
  return paths
}

async function listCommit(source: SiteSource, note: Note, signal: AbortSignal): Promise<readonly string[]> {
  const { location, ref, subdirectory } = source
  const tree = await openCommitTree({ repository: location, ref, subdirectory }, signal)
  tree.close()
  note('repository', 'passed', 'The folder is a git repository.')
  note('branch', 'passed', `${ref === null ? 'Its current branch' : ref} is at ${tree.revision.slice(0, 12)}.`)
  return tree.paths
}

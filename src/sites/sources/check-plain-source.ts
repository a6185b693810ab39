import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { AppError } from '../../contract/app-error.ts'
import type { SourceCheck, SourceCheckStep } from '../../contract/source-check.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import type { RemoteSource } from '../../git/remotes/mirrors.ts'
import type { GitCredential } from '../../git/remotes/resolve-remote.ts'
import type { SiteSource } from '../../store/sites/sites.ts'
import { checkCredentialUse, checkSourceLocation } from './check-source-location.ts'
import { noteDocumentation } from './describe-documentation.ts'
import { joinSubdirectory } from './open-source-tree.ts'
import { requireOutsideService } from './require-outside-service.ts'

export interface PlainSourceDeps {
  /** The data folder lies around it, and is no source. */
  repositoryFolder: string
  /** Asks a repository on the network where a ref points; fetches nothing. */
  findTip(source: RemoteSource, signal: AbortSignal): Promise<{ revision: string }>
}

/** What is looked at, and what opens it. */
export interface PlainSource {
  source: SiteSource
  credential: GitCredential | null
  reader: string
}

/** Whether a source is on no forge: a folder, a repository that is only read, or a published site. */
export function isPlainKind(kind: SiteSource['kind'] | undefined): boolean {
  return kind === 'folder' || kind === 'git' || kind === 'crawl'
}

/** What a path on this machine names, for whoever does not say it; undefined for an address. */
export async function findLocalKind(location: string): Promise<'folder' | 'git' | undefined> {
  if (!isAbsolute(location)) return undefined
  const isThere = (name: string) =>
    stat(join(location, name)).then(
      () => true,
      () => false,
    )
  if (await isThere('.git')) return 'git'
  const marks = await Promise.all(['HEAD', 'objects', 'refs'].map(isThere))
  return marks.every(Boolean) ? 'git' : 'folder'
}

/**
 * Tries out what a site needs of a source on no forge, by the steps that others know: of a folder or a repository on this
 * machine its files, of a repository on the network its branch, of a published site only its address, because the
 * pages are somebody else's to serve.
 */
export async function checkPlainSource(
  deps: PlainSourceDeps,
  { source, credential, reader }: PlainSource,
  signal: AbortSignal,
): Promise<SourceCheck> {
  const steps: SourceCheckStep[] = []
  const note: Note = (name, state, message) => void steps.push({ name, subject: null, state, message })
  let canRead = false
  try {
    checkSourceLocation(source)
    checkCredentialUse(source, credential)
    canRead = await tryOut(deps, { source, credential, reader }, note, signal)
  } catch (error) {
    // Failures of this machine are no step of the source.
    if (!(error instanceof AppError)) throw error
    note(source.kind === 'crawl' ? 'host' : 'repository', 'failed', error.message)
  }
  return { source, canRead, canPropose: false, steps }
}

type Note = (name: SourceCheckStep['name'], state: SourceCheckStep['state'], message: string) => void

async function tryOut(deps: PlainSourceDeps, plain: PlainSource, note: Note, signal: AbortSignal): Promise<boolean> {
  const { source, credential, reader } = plain
  const { kind, location, ref } = source
  if (kind === 'crawl') {
    note('host', 'passed', `Pages of ${new URL(location).host} are read from ${location} on.`)
    note('documentation', 'skipped', 'Its pages are found when it is synced, as robots.txt and the sitemap allow.')
    return true
  }
  if (!isAbsolute(location)) {
    const { revision } = await deps.findTip({ location, ref, credential, reader }, signal)
    note('branch', 'passed', `${ref === null ? 'The main branch' : ref} is at ${revision.slice(0, 12)}.`)
    note('documentation', 'skipped', 'Its files are looked at when it is synced.')
    return true
  }
  const path = kind === 'folder' ? joinSubdirectory(source) : location
  await requireOutsideService(deps, { path, mayHold: true })
  const paths = await (kind === 'folder' ? listFolder(path, note, signal) : listCommit(source, note, signal))
  noteDocumentation(paths, source, (state, message) => note('documentation', state, message))
  return true
}

async function listFolder(path: string, note: Note, signal: AbortSignal): Promise<readonly string[]> {
  const { paths } = await openFolderTree(path, { signal })
  note('repository', 'passed', `The folder can be read, with ${paths.length.toLocaleString('en')} files.`)
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

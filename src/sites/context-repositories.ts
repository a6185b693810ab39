import { isAbsolute } from 'node:path'
import type { CodeHost } from '../codehost/code-host.ts'
import { cloneAddress, readForgeLocation } from '../codehost/forge/forge-location.ts'
import { AppError } from '../contract/app-error.ts'
import { findPastCommit } from '../git/commits/find-past-commit.ts'
import { findGitDirectory, openCommitTree, readRepositoryTip } from '../git/trees/commit-tree.ts'
import type { MirrorOwner, Mirrors, RemoteSource } from '../git/remotes/mirrors.ts'
import { isRemoteLocation } from '../git/remotes/remote-url.ts'
import type { ContextRepository } from '../store/sites/context-repositories.ts'
import { getProject } from '../store/accounts/projects.ts'
import { getSite, type Site } from '../store/sites/sites.ts'
import type { Store } from '../store/store.ts'
import { type BuiltinSourceDeps, resolveBuiltinSource } from './sources/builtin-source.ts'
import { openRemoteSource } from './sources/remote-source.ts'
import type { Forges } from './forges.ts'
import type { SiteSecrets } from './site-secrets.ts'

export interface ContextRepositoriesDeps extends BuiltinSourceDeps {
  store: Store
  mirrors: Mirrors
  forges: Forges
  secrets: SiteSecrets
}

/** A commit of a context repository on this machine. Never written to. */
export interface OpenContext {
  gitDirectory: string
  commit: string
  subdirectory: string
}

/** Limit for remote repositories, because the files of commits are fetched too. */
const pastCommitsMax = 200

/** The properties of a context repository that decide how it is read. */
type ReadContext = Pick<ContextRepository, 'id' | 'siteId' | 'source' | 'credentialSealed'>

/**
 * Reads the repositories that agents read in addition to those of their sites: from mirrors, at one commit, read-only.
 */
export class ContextRepositories {
  readonly #deps: ContextRepositoriesDeps

  constructor(deps: ContextRepositoriesDeps) {
    this.#deps = deps
  }

  /** The current tip of the branch; fetches nothing. @throws {AppError} with a message, if it cannot be read. */
  async findTip(context: ReadContext, signal: AbortSignal): Promise<string> {
    const place = await this.#place(context, signal)
    if (place.kind === 'here') return readRepositoryTip(place, signal)
    return (await this.#deps.mirrors.findTip(place.remote, signal)).revision
  }

  /**
   * Checks a context repository before it is stored: resolves its branch and, if its files are on this machine, looks
   * up the subdirectory.
   *
   * @returns The tip of the branch. @throws {AppError} with a message.
   */
  async check(context: ReadContext, signal: AbortSignal): Promise<string> {
    const place = await this.#place(context, signal)
    if (place.kind === 'remote') return (await this.#deps.mirrors.findTip(place.remote, signal)).revision
    const { subdirectory } = context.source
    const tree = await openCommitTree({ repository: place.repository, ref: place.ref, subdirectory }, signal)
    tree.close()
    return tree.revision
  }

  /**
   * Makes a commit available on this machine.
   *
   * @param commit A full id; null for the current tip of the branch.
   * @throws {AppError} with a message, if it cannot be fetched or is too large.
   */
  async open(context: ReadContext, commit: string | null, signal: AbortSignal): Promise<OpenContext> {
    const { subdirectory } = context.source
    const place = await this.#place(context, signal)
    if (place.kind === 'here') {
      const { repository } = place
      const pinned = commit ?? (await readRepositoryTip(place, signal))
      return { gitDirectory: repository, commit: pinned, subdirectory }
    }
    const remote = commit === null ? place.remote : { ...place.remote, ref: commit }
    const mirrored = await this.#deps.mirrors.fetch(remote, signal)
    return { gitDirectory: mirrored.repository, commit: mirrored.revision, subdirectory }
  }

  /** Like `open`, with the history that joins two commits unless that is too long. */
  async openHistory(
    context: ReadContext,
    commits: readonly [from: string, to: string],
    signal: AbortSignal,
  ): Promise<OpenContext> {
    const opened = await this.open(context, commits[1], signal)
    const place = await this.#place(context, signal)
    if (place.kind === 'remote') await this.#deps.mirrors.joinHistory(place.remote, commits, signal)
    return opened
  }

  /**
   * A commit of the past of another one that is on this machine: the newest that is older than a time, else the oldest that is
   * known. Of a remote repository, only the newest commits are known.
   *
   * @param commit.before UTC milliseconds. @throws {AppError} as `open` does.
   */
  async findPast(
    context: ReadContext,
    { commit, before, gitDirectory }: OpenContext & { before: number },
    signal: AbortSignal,
  ): Promise<string> {
    const place = await this.#place(context, signal)
    if (place.kind === 'remote')
      await this.#deps.mirrors.fetchPast(place.remote, { commit, depth: pastCommitsMax }, signal)
    return findPastCommit({ gitDirectory, commit, before }, signal)
  }

  /** The host of its pull requests on a forge; null without one, or without a credential. */
  async openForgeHost({ id, siteId, source, credentialSealed }: ReadContext): Promise<CodeHost | null> {
    const organizationId = await this.#findOrganization(siteId)
    const credential = credentialSealed === null ? null : this.#deps.secrets.openContextCredential(id, credentialSealed)
    return this.#deps.forges.openCandidateHost({ organizationId, source, credential, reader: readerOf(id) })
  }

  /** A commit of the repository that a site is read from. @throws {AppError} as `open` does. */
  async openSite(site: Site, commit: string, signal: AbortSignal): Promise<OpenContext> {
    const { source } = site
    const remote = await openRemoteSource(this.#deps, site, signal)
    const { subdirectory } = source
    if (remote !== null) {
      const mirrored = await this.#deps.mirrors.fetch({ ...remote, ref: commit }, signal)
      return { gitDirectory: mirrored.repository, commit, subdirectory }
    }
    const { location } = await resolveBuiltinSource(this.#deps, source, signal)
    return { gitDirectory: await findGitDirectory(location), commit, subdirectory }
  }

  async #place(context: ReadContext, signal: AbortSignal): Promise<Place> {
    const { id, siteId, source, credentialSealed } = context
    const isHere = source.kind === 'builtin' || (source.kind === 'git' && isAbsolute(source.location))
    if (isHere) {
      const placed = await resolveBuiltinSource(this.#deps, source, signal)
      return { kind: 'here', repository: await findGitDirectory(placed.location), ref: placed.ref }
    }
    const organizationId = await this.#findOrganization(siteId)
    const credential = credentialSealed === null ? null : this.#deps.secrets.openContextCredential(id, credentialSealed)
    const candidate = { organizationId, source, credential, reader: readerOf(id) }
    return { kind: 'remote', remote: await this.#deps.forges.openCandidateSource(candidate, signal) }
  }

  async #findOrganization(siteId: string): Promise<string> {
    const { store } = this.#deps
    const site = await getSite(store.durable, siteId)
    const project = site === null ? null : await getProject(store.durable, site.projectId)
    if (project !== null) return project.organizationId
    throw new AppError('site_not_found', 'The context repository belongs to a deleted site.')
  }
}

type Place = { kind: 'here'; repository: string; ref: string | null } | { kind: 'remote'; remote: RemoteSource }

/** Every mirror that a context repository may be read from; an App opens a repository without a stored credential. */
export function listContextMirrorOwners({ id, source, credentialSealed }: ContextRepository): MirrorOwner[] {
  const place = readForgeLocation(source)
  const reader = readerOf(id)
  if (place !== null) {
    const location = cloneAddress(place)
    return [true, false].map((hasCredential) => ({ location, hasCredential, reader }))
  }
  if (!isRemoteLocation(source.location)) return []
  return [{ location: source.location, hasCredential: credentialSealed !== null, reader }]
}

function readerOf(contextId: string): string {
  return `context:${contextId}`
}

import { createHash } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../contract/app-error.ts'
import { isFolder } from '../../base/path-exists.ts'
import { createBareRepository } from '../repositories/bare-repository.ts'
import { findMergeBase } from '../commits/diff-commits.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import { withFolderLock } from '../folder-lock.ts'
import { checkObjectId, isObjectId } from '../object-id.ts'
import { listRefs } from '../repositories/refs.ts'
import { findRemoteTip, type RemoteTip } from './remote-tip.ts'
import { type GitCredential, resolveRemote, type ResolveRemoteDeps } from './resolve-remote.ts'
import { forgetObjects } from '../repository-objects.ts'
import { resolveObject, resolveObjects } from '../resolve-commit.ts'
import { type GitRemote, runGit } from '../run-git.ts'

export interface MirrorsDeps extends ResolveRemoteDeps {
  /** Folder of the mirrors; created if missing. */
  folder: string
  /** Most bytes of a mirror on disk, default 4 GiB. */
  mirrorBytesMax?: number
}

export interface RemoteSource {
  /** `https://…` */
  location: string
  /** Branch, tag or full commit id; null for the repository's default branch. */
  ref: string | null
  credential: GitCredential | null
  /** Identifies the reader. Content fetched with a credential is kept separately per reader and never shared. */
  reader: string
}

/** What determines the mirror of a source. */
export interface MirrorOwner {
  location: string
  hasCredential: boolean
  reader: string
}

/** A commit of a remote repository, available on this machine. */
export interface MirroredCommit {
  /** A bare repository, for `openCommitTree`. */
  repository: string
  revision: string
}

const fetchTimeoutMs = 10 * 60_000
const sizeLookMs = 1_000
const mirrorBytesMaxDefault = 4 * 1024 ** 3

/** Mirrors with more packs are repacked, which also drops objects unreferenced for two weeks. */
const packsMax = 40

/** Depths tried in turn to find where two commits diverged; most diverged recently. */
const joiningDepths = [50, 500, 5_000]

/** Refs for commits that jobs work on, separate from those that sites follow, so that they can be released. */
const commitRefs = 'refs/docent/commits'

/** Keeps a shallow bare copy of each remote repository: the newest commit of each ref that a site follows. */
export class Mirrors {
  readonly #deps: MirrorsDeps

  constructor(deps: MirrorsDeps) {
    this.#deps = deps
  }

  /** The current tip of the ref; fetches nothing. @throws {AppError} if the repository refuses or cannot be reached. */
  async findTip(source: RemoteSource, signal: AbortSignal): Promise<RemoteTip> {
    const remote = await resolveRemote(this.#deps, source.location, source.credential)
    return findRemoteTip(remote, source.ref, signal)
  }

  /**
   * Fetches the current commit of the ref. Only one caller at a time fetches into a mirror, also across processes that
   * share the folder, because concurrent shallow fetches fail.
   *
   * The repository is always contacted, so that even a local commit is not served once access is revoked.
   *
   * @throws {AppError} if the repository cannot be read or is too large.
   */
  async fetch(source: RemoteSource, signal: AbortSignal): Promise<MirroredCommit> {
    const remote = await resolveRemote(this.#deps, source.location, source.credential)
    const repository = this.folderOf(source)
    return withFolderLock({ file: `${repository}.lock`, signal }, async () => {
      const tip = await findTipToFetch(repository, remote, source.ref, signal)
      const job = { repository, remote, depth: 1, refspecs: [`+${tip.object}:${refOf(source.ref)}`] }
      if (!tip.isHere) await this.#fetchTip(job, tip, signal)
      return { repository, revision: tip.revision }
    })
  }

  /**
   * Fetches enough history of two commits of the repository to find where they diverged, if within the last 5,000
   * commits. Does nothing if that is already known. Shallow copies lack this history, which is needed to join a branch
   * pushed from a mirror with what others pushed to it.
   *
   * @throws {AppError} if the repository cannot be read, no longer has one of the commits, or is too large.
   */
  async joinHistory(
    source: Omit<RemoteSource, 'ref'>,
    commits: readonly [string, string],
    signal: AbortSignal,
  ): Promise<void> {
    await this.#deepen(source, { commits, depths: joiningDepths }, signal)
  }

  /** Fetches so many commits of the past of a commit. @throws {AppError} as `joinHistory` does. */
  async fetchPast(
    source: Omit<RemoteSource, 'ref'>,
    { commit, depth }: { commit: string; depth: number },
    signal: AbortSignal,
  ): Promise<void> {
    await this.#deepen(source, { commits: [commit], depths: [depth] }, signal)
  }

  async #deepen(
    source: Omit<RemoteSource, 'ref'>,
    { commits, depths }: { commits: readonly [string, string?]; depths: readonly number[] },
    signal: AbortSignal,
  ): Promise<void> {
    const remote = await resolveRemote(this.#deps, source.location, source.credential)
    const repository = this.folderOf(source)
    const [ours, theirs] = commits
    await withFolderLock({ file: `${repository}.lock`, signal }, async () => {
      await prepareMirror(repository)
      const refspecs = commits.flatMap((commit) =>
        commit === undefined ? [] : [`+${checkObjectId(commit)}:${refOf(commit)}`],
      )
      for (const depth of depths) {
        if (theirs !== undefined && (await areJoined(repository, [ours, theirs], signal))) return
        const failure = await this.#runFetch({ repository, remote, depth, refspecs }, signal)
        if (failure !== null) throw explainRemoteFailure(remote, failure)
      }
    })
  }

  /** Path of a repository's mirror, whether or not it exists. */
  folderOf(source: Omit<RemoteSource, 'ref'>): string {
    return join(this.#deps.folder, mirrorName(ownerOf(source)))
  }

  /** Removes mirrors that no source uses any more. */
  async removeUnused(owners: readonly MirrorOwner[]): Promise<void> {
    const used = new Set(owners.map(mirrorName))
    const names = await readdir(this.#deps.folder).catch(() => [])
    for (const name of names) {
      if (!name.endsWith('.git') || used.has(name)) continue
      const repository = join(this.#deps.folder, name)
      const remove = () => rm(repository, { recursive: true, force: true })
      await withFolderLock({ file: `${repository}.lock`, signal: AbortSignal.timeout(1_000) }, remove).catch(() => {})
    }
  }

  async #fetchTip(job: FetchJob, tip: RemoteTip, signal: AbortSignal): Promise<void> {
    await prepareMirror(job.repository)
    const stderr = await this.#runFetch(job, signal)
    if (stderr === null && (await hasCommit(job.repository, tip, signal))) return compactMirror(job.repository, signal)
    if (stderr !== null && !isDamage(stderr)) throw explainRemoteFailure(job.remote, stderr)
    // A mirror damaged by a crash is recreated.
    await rm(job.repository, { recursive: true, force: true })
    await prepareMirror(job.repository)
    const again = await this.#runFetch(job, signal)
    if (again !== null) throw explainRemoteFailure(job.remote, again)
  }

  /** @returns Null on success, else git's stderr. */
  async #runFetch({ repository, remote, depth, refspecs }: FetchJob, signal: AbortSignal): Promise<string | null> {
    const bytesMax = this.#deps.mirrorBytesMax ?? mirrorBytesMaxDefault
    const watch = watchSize(join(repository, 'objects', 'pack'), bytesMax)
    const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--refmap=']
    const args = ['fetch', ...flags, `--depth=${depth}`, '--end-of-options', remote.url.href, ...refspecs]
    try {
      const command = { gitDirectory: repository, args, signal: AbortSignal.any([signal, watch.signal]), remote }
      const { exitCode, stderr } = await runGit(command, { timeoutMs: fetchTimeoutMs })
      return exitCode === 0 ? null : stderr
    } catch (error) {
      if (watch.signal.aborted) await rm(repository, { recursive: true, force: true })
      throw error
    } finally {
      watch.stop()
    }
  }
}

/**
 * Looks up the current tip of a ref on the remote. A commit id that is not here is returned as is, because fetching it
 * contacts the remote anyway.
 */
async function findTipToFetch(
  repository: string,
  remote: GitRemote,
  ref: string | null,
  signal: AbortSignal,
): Promise<RemoteTip & { isHere: boolean }> {
  const named = ref !== null && isObjectId(ref) ? { revision: ref, object: ref } : null
  if (named !== null && !(await hasCommit(repository, named, signal))) return { ...named, isHere: false }
  const tip = await findRemoteTip(remote, ref, signal)
  return { ...tip, isHere: named?.revision === tip.revision || (await hasCommit(repository, tip, signal)) }
}

interface FetchJob {
  repository: string
  remote: GitRemote
  /** Commits fetched per branch. */
  depth: number
  refspecs: readonly string[]
}

/** The ref of the mirror for a ref of the source. */
function refOf(ref: string | null): string {
  return `${isObjectId(ref ?? '') ? commitRefs : 'refs/docent'}/${digest(ref ?? 'HEAD').slice(0, 16)}`
}

/** Whether a mirror has both commits and their merge base. */
async function areJoined(
  repository: string,
  commits: readonly [string, string],
  signal: AbortSignal,
): Promise<boolean> {
  forgetObjects(repository)
  const trees = commits.map((commit) => `${commit}^{tree}`)
  const found = await resolveObjects(repository, trees, signal).catch(() => [null])
  if (found.includes(null)) return false
  const [ours, theirs] = commits
  return (await findMergeBase({ gitDirectory: repository, ours, theirs }, signal)) !== null
}

function ownerOf({ location, credential, reader }: Omit<RemoteSource, 'ref'>): MirrorOwner {
  return { location, hasCredential: credential !== null, reader }
}

function mirrorName({ location, hasCredential, reader }: MirrorOwner): string {
  return `${digest(JSON.stringify([location, hasCredential ? reader : null])).slice(0, 40)}.git`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A killed git leaves these behind and then refuses to run. We hold the mirror's lock, so no live git owns them. */
const leftoverLocks = ['shallow.lock', 'packed-refs.lock', 'HEAD.lock', 'config.lock']

async function prepareMirror(repository: string): Promise<void> {
  for (const name of leftoverLocks) await rm(join(repository, name), { force: true })
  await removeLeftovers(join(repository, 'refs', 'docent'), /\.lock$/)
  await removeLeftovers(join(repository, commitRefs), /\.lock$/)
  await removeLeftovers(join(repository, 'objects', 'pack'), /^tmp_/)
  if (await isFolder(join(repository, 'objects'))) return
  await createBareRepository(repository)
}

async function removeLeftovers(folder: string, pattern: RegExp): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter((name) => pattern.test(name)).map((name) => rm(join(folder, name), { force: true })))
}

async function hasCommit(repository: string, { revision }: RemoteTip, signal: AbortSignal): Promise<boolean> {
  if (!(await isFolder(join(repository, 'objects')))) return false
  forgetObjects(repository)
  const found = await resolveObject(repository, `${revision}^{tree}`, signal).catch(() => null)
  return found !== null
}

function isDamage(stderr: string): boolean {
  return /corrupt|bad object|missing|unable to read|loose object|bad pack|not a git repository|shallow|did not send all/i.test(
    stderr,
  )
}

/** Readers of already opened commits are unaffected: unreferenced objects stay for two weeks. */
async function compactMirror(repository: string, signal: AbortSignal): Promise<void> {
  const packs = await readdir(join(repository, 'objects', 'pack')).catch(() => [])
  if (packs.filter((name) => name.endsWith('.pack')).length <= packsMax) return
  for (const { ref } of await listRefs({ gitDirectory: repository, prefix: commitRefs }, signal)) {
    await runGit({ gitDirectory: repository, args: ['update-ref', '-d', ref], signal })
  }
  await runGit({ gitDirectory: repository, args: ['gc', '--quiet'], signal }, { timeoutMs: fetchTimeoutMs })
}

/** Git cannot limit the size of a fetch, so the folder's growth is watched. */
function watchSize(folder: string, bytesMax: number): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const look = async () => {
    if ((await measureFolder(folder)) <= bytesMax) return
    const message = `The repository takes more than ${bytesMax} bytes. Use one that contains only the documentation.`
    controller.abort(new AppError('invalid_request', message))
  }
  const timer = setInterval(() => void look(), sizeLookMs)
  return { signal: controller.signal, stop: () => clearInterval(timer) }
}

async function measureFolder(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../contract/app-error.ts'
import { explainRemoteFailure } from './explain-remote-failure.ts'
import { withFolderLock } from './folder-lock.ts'
import { findRemoteTip, type RemoteTip } from './remote-tip.ts'
import { type GitCredential, resolveRemote, type ResolveRemoteDeps } from './resolve-remote.ts'
import { resolveObject } from './resolve-commit.ts'
import { type GitRemote, runGit } from './run-git.ts'

export interface MirrorsDeps extends ResolveRemoteDeps {
  /** The folder of the mirrors; made when missing. */
  folder: string
  /** Most bytes that a mirror may take on the disk, default 4 GiB. */
  mirrorBytesMax?: number
}

export interface RemoteSource {
  /** `https://…` */
  location: string
  /** Branch, tag or full commit id; null for the repository's main branch. */
  ref: string | null
  credential: GitCredential | null
  /** Names who reads. What was fetched with a credential is kept apart by it, so that it serves nobody else. */
  reader: string
}

/** What decides which mirror a source is in. */
export interface MirrorOwner {
  location: string
  hasCredential: boolean
  reader: string
}

/** A commit of a remote repository that lies on this machine. */
export interface MirroredCommit {
  /** A bare repository, for `openCommitTree`. */
  repository: string
  revision: string
}

const fetchTimeoutMs = 10 * 60_000
const sizeLookMs = 1_000
const mirrorBytesMaxDefault = 4 * 1024 ** 3

/** Mirrors with more packs are packed anew, which also drops what no ref names since two weeks. */
const packsMax = 40

/** Keeps a shallow, bare copy of each remote repository: the newest commit of each ref that a site follows. */
export class Mirrors {
  readonly #deps: MirrorsDeps

  constructor(deps: MirrorsDeps) {
    this.#deps = deps
  }

  /** Where the ref points now; fetches nothing. @throws {AppError} in a sentence, when it cannot be asked. */
  async findTip(source: RemoteSource, signal: AbortSignal): Promise<RemoteTip> {
    const remote = await resolveRemote(this.#deps, source.location, source.credential)
    return findRemoteTip(remote, source.ref, signal)
  }

  /**
   * Fetches the commit that the ref names now. Of several that fetch into one mirror, also from other processes on the
   * folder, one does and the others wait, because git's shallow fetch fails beside another.
   *
   * The repository is always asked, so that a commit which is here already is not served once access was withdrawn.
   *
   * @throws {AppError} in a sentence, when the repository cannot be read or is too large.
   */
  async fetch(source: RemoteSource, signal: AbortSignal): Promise<MirroredCommit> {
    const remote = await resolveRemote(this.#deps, source.location, source.credential)
    const repository = join(this.#deps.folder, mirrorName(ownerOf(source)))
    return withFolderLock({ file: `${repository}.lock`, signal }, async () => {
      const tip = await findRemoteTip(remote, source.ref, signal)
      if (!(await hasCommit(repository, tip, signal))) await this.#fetchTip({ repository, remote, source, tip }, signal)
      return { repository, revision: tip.revision }
    })
  }

  /** Removes the mirrors of repositories that no source names any more. */
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

  async #fetchTip(job: FetchJob, signal: AbortSignal): Promise<void> {
    await prepareMirror(job.repository, signal)
    const stderr = await this.#runFetch(job, signal)
    if (stderr === null && (await hasCommit(job.repository, job.tip, signal))) return tidyMirror(job.repository, signal)
    if (stderr !== null && !isDamage(stderr)) throw explainRemoteFailure(job.remote, stderr)
    // A mirror is a copy: one that a crash has damaged is made anew.
    await rm(job.repository, { recursive: true, force: true })
    await prepareMirror(job.repository, signal)
    const again = await this.#runFetch(job, signal)
    if (again !== null) throw explainRemoteFailure(job.remote, again)
  }

  /** @returns Null when it went well, else what git wrote. */
  async #runFetch({ repository, remote, source, tip }: FetchJob, signal: AbortSignal): Promise<string | null> {
    const bytesMax = this.#deps.mirrorBytesMax ?? mirrorBytesMaxDefault
    const watch = watchSize(join(repository, 'objects', 'pack'), bytesMax)
    const flags = ['--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--refmap=']
    const refspec = `+${tip.object}:refs/docent/${digest(source.ref ?? 'HEAD').slice(0, 16)}`
    const args = ['fetch', ...flags, '--end-of-options', remote.url.href, refspec]
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

interface FetchJob {
  repository: string
  remote: GitRemote
  source: RemoteSource
  tip: RemoteTip
}

function ownerOf({ location, credential, reader }: RemoteSource): MirrorOwner {
  return { location, hasCredential: credential !== null, reader }
}

function mirrorName({ location, hasCredential, reader }: MirrorOwner): string {
  return `${digest(JSON.stringify([location, hasCredential ? reader : null])).slice(0, 40)}.git`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Git itself leaves these behind when it is killed, and refuses to go on while they are there. The lock is ours. */
const leftoverLocks = ['shallow.lock', 'packed-refs.lock', 'HEAD.lock', 'config.lock']

async function prepareMirror(repository: string, signal: AbortSignal): Promise<void> {
  for (const name of leftoverLocks) await rm(join(repository, name), { force: true })
  await removeLeftovers(join(repository, 'refs', 'docent'), /\.lock$/)
  await removeLeftovers(join(repository, 'objects', 'pack'), /^tmp_/)
  if (await isFolder(join(repository, 'objects'))) return
  await mkdir(repository, { recursive: true, mode: 0o700 })
  const { exitCode, stderr } = await runGit({
    gitDirectory: repository,
    args: ['init', '--quiet', '--bare', '--template='],
    signal,
  })
  if (exitCode !== 0) throw new Error(`The mirror of the repository cannot be made: ${stderr.trim()}`)
}

async function removeLeftovers(folder: string, pattern: RegExp): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter((name) => pattern.test(name)).map((name) => rm(join(folder, name), { force: true })))
}

async function hasCommit(repository: string, { revision }: RemoteTip, signal: AbortSignal): Promise<boolean> {
  if (!(await isFolder(join(repository, 'objects')))) return false
  const found = await resolveObject(repository, `${revision}^{tree}`, signal).catch(() => null)
  return found !== null
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

function isDamage(stderr: string): boolean {
  return /corrupt|bad object|missing|unable to read|loose object|bad pack|not a git repository|shallow|did not send all/i.test(
    stderr,
  )
}

/** Readers that opened a commit keep theirs: objects that nothing names stay for two weeks. */
async function tidyMirror(repository: string, signal: AbortSignal): Promise<void> {
  const packs = await readdir(join(repository, 'objects', 'pack')).catch(() => [])
  if (packs.filter((name) => name.endsWith('.pack')).length <= packsMax) return
  await runGit({ gitDirectory: repository, args: ['gc', '--quiet'], signal }, { timeoutMs: fetchTimeoutMs })
}

/** Git has no limit on what it fetches, so that the growth of the folder is watched. */
function watchSize(folder: string, bytesMax: number): { signal: AbortSignal; stop(): void } {
  const controller = new AbortController()
  const look = async () => {
    if ((await measureFolder(folder)) <= bytesMax) return
    const message = `The repository takes more than ${bytesMax} bytes. Use one that holds the documentation alone.`
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

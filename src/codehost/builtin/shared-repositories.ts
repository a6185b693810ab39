import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { IdSource } from '../../base/ids.ts'
import { AppError } from '../../contract/app-error.ts'
import { createBareRepository } from '../../git/repositories/bare-repository.ts'
import { withFolderLock } from '../../git/folder-lock.ts'
import {
  createRepositoryView,
  installPack,
  readHead,
  readRefTable,
  readShallowMarks,
  type RefTable,
  replaceRefs,
  writePack,
} from '../../git/repositories/repository-contents.ts'
import type { RefChange } from '../../git/repositories/update-refs.ts'
import { BlobMissingError, type BlobStore } from '../../store/blobs/blobs.ts'
import type { Repository } from '../../store/hosting/repositories.ts'
import {
  getRepositoryState,
  getRepositoryVersion,
  insertRepositoryState,
  recordRepositoryState,
  type RepositoryState,
} from '../../store/hosting/repository-states.ts'
import { withLease } from '../../store/with-lease.ts'
import type { StoreDeps } from '../../store/store-deps.ts'
import type { Log } from '../../telemetry/log.ts'
import { replaceFile } from '../../base/replace-file.ts'
import { pathExists } from '../../base/path-exists.ts'

export interface SharedRepositoriesDeps extends StoreDeps {
  blobs: BlobStore
  ids: IdSource
  log: Log
  /** Folder of this machine's bare repositories. */
  repositoryFolder: string
}

export type PlacedRepository = Pick<Repository, 'id' | 'name' | 'folder'>

/** The recorded state that this machine has. Written last, so that an interrupted update is repeated. */
interface LocalState {
  version: number
  packs: readonly string[]
}

/** A change made on this machine and not recorded yet. */
interface Change {
  refs: RefTable
  /** The repository that has the new objects. */
  packFrom: string
}

const stateFile = 'docent-state.json'
const bringMsMax = 10 * 60_000
const staleLockMs = 10_000

/** Most packs per repository before they are consolidated into one. */
const packsMax = 20

/** How often a state is reread because its packs were consolidated in the meantime. */
const attemptsMax = 5

/**
 * The repositories of the built-in host where several processes share a database but no folder.
 *
 * The database records, by version, what each repository's refs name and which packs hold its objects. The bare
 * repository on a machine is a cache that only moves from a recorded version to a later one. A change is recorded
 * before it is acknowledged, under a lease and only on top of the version that it is based on; a process killed before
 * that has changed nothing.
 */
export class SharedRepositories {
  readonly #deps: SharedRepositoriesDeps
  readonly #fetching = new Map<string, Promise<void>>()

  constructor(deps: SharedRepositoriesDeps) {
    this.#deps = deps
  }

  /** Brings the bare repository on this machine up to date. Costs one query if it already is. */
  async bring(repository: PlacedRepository, signal: AbortSignal): Promise<void> {
    const version = await getRepositoryVersion(this.#deps.store.durable, repository.id)
    if (version === null) return this.#adopt(repository, signal)
    const local = await readLocalState(this.#place(repository))
    if (local?.version === version) return
    await this.#fetchOnce(repository, signal)
  }

  /**
   * Moves several refs atomically. New objects must already be in the bare repository on this machine.
   *
   * @returns False if a ref is not at its expected commit and nothing moved.
   */
  move(repository: PlacedRepository, changes: readonly RefChange[], signal: AbortSignal): Promise<boolean> {
    return this.#exclusively(repository, signal, async (state, held) => {
      const refs = new Map(state.refs)
      for (const { ref, to, expected } of changes) {
        if (expected !== undefined && (state.refs.get(ref) ?? null) !== expected) return false
        refs.set(ref, to)
      }
      if (findCollision(refs) !== null) return false
      await this.#record(repository, state, { refs, packFrom: this.#place(repository) }, held)
      return true
    })
  }

  /**
   * Lets git change a repository through a view, whose refs and new objects are recorded afterwards.
   *
   * @param work Gets the bare repository to work on. If it throws, nothing changes.
   */
  change<Result>(
    repository: PlacedRepository,
    work: (gitDirectory: string, signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    return this.#exclusively(repository, signal, async (state, held) => {
      const folder = join(this.#deps.repositoryFolder, `push-${this.#deps.ids.ulid()}.git`)
      try {
        await createRepositoryView({ ...state, folder, over: this.#place(repository) })
        const result = await work(folder, held)
        const refs = await readRefTable(folder, held)
        await this.#record(repository, state, { refs, packFrom: folder }, held)
        return result
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  /**
   * Stores the contents of a local repository. The caller inserts the returned row together with the repository's own.
   */
  async prepare(repository: Pick<Repository, 'id' | 'folder'>, signal: AbortSignal): Promise<RepositoryState> {
    const gitDirectory = this.#place(repository)
    const refs = await readRefTable(gitDirectory, signal)
    const pack = await this.#storePack({ gitDirectory, wanted: [...refs.values()], held: [] }, signal)
    const packs = pack === null ? [] : [pack]
    await writeLocalState(gitDirectory, { version: 1, packs })
    const [head, shallow] = await Promise.all([readHead(gitDirectory), readShallowMarks(gitDirectory)])
    return { repositoryId: repository.id, version: 1, head, refs, shallow, packs }
  }

  /** Consolidates many packs into one. @returns Whether there were enough to do so. */
  async consolidate(repository: PlacedRepository, signal: AbortSignal): Promise<boolean> {
    const before = await getRepositoryState(this.#deps.store.durable, repository.id)
    if (before === null || before.packs.length <= packsMax) return false
    return this.#exclusively(repository, signal, async (state, held) => {
      const gitDirectory = this.#place(repository)
      const pack = await this.#storePack({ gitDirectory, wanted: [...state.refs.values()], held: [] }, held)
      const next = { ...state, version: state.version + 1, packs: pack === null ? [] : [pack] }
      await this.#commit(next)
      // All objects of the pack are already here.
      await writeLocalState(gitDirectory, { version: next.version, packs: next.packs })
      return true
    })
  }

  #place({ folder }: Pick<Repository, 'folder'>): string {
    return join(this.#deps.repositoryFolder, folder)
  }

  /** Runs on the latest state while nobody else can change the repository. */
  #exclusively<Result>(
    repository: PlacedRepository,
    signal: AbortSignal,
    work: (state: RepositoryState, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    return withLease(this.#deps, { name: `repository:${repository.id}`, signal }, async (held) => {
      await this.bring(repository, held)
      const state = await getRepositoryState(this.#deps.store.durable, repository.id)
      if (state === null) throw repositoryGone(repository)
      return work(state, held)
    })
  }

  async #record(
    repository: PlacedRepository,
    state: RepositoryState,
    { refs, packFrom }: Change,
    signal: AbortSignal,
  ): Promise<void> {
    if (isSame(refs, state.refs)) return
    const known = new Set(state.refs.values())
    const wanted = [...new Set(refs.values())].filter((id) => !known.has(id))
    const packed = { gitDirectory: packFrom, wanted, held: [...known] }
    const pack = wanted.length === 0 ? null : await this.#storePack(packed, signal)
    const packs = pack === null || state.packs.includes(pack) ? state.packs : [...state.packs, pack]
    const next: RepositoryState = { ...state, version: state.version + 1, refs, packs }
    // This machine has the objects as loose ones and need not fetch them.
    const gitDirectory = this.#place(repository)
    if (packFrom === gitDirectory && pack !== null)
      await writeLocalState(gitDirectory, { version: state.version, packs })
    await this.#commit(next)
    // The change is recorded; if this machine fails to follow now, the next use does.
    await this.#fetchOnce(repository, signal).catch((error: unknown) =>
      this.#deps.log.warn({ error, repositoryId: repository.id }, 'repository-not-followed'),
    )
  }

  /** @throws {AppError} `conflict` if another replica was first, possible only after losing the lease. */
  async #commit(state: RepositoryState): Promise<void> {
    const { store, clock } = this.#deps
    if (await recordRepositoryState(store.durable, state, clock.now())) return
    throw new AppError('conflict', 'Another process changed the repository. Try again.')
  }

  /** @returns The hash, or null if there is nothing new. */
  async #storePack(
    input: { gitDirectory: string; wanted: readonly string[]; held: readonly string[] },
    signal: AbortSignal,
  ): Promise<string | null> {
    const { blobs, ids, repositoryFolder } = this.#deps
    const file = join(repositoryFolder, `pack-${ids.ulid()}.unfinished`)
    try {
      return (await writePack({ ...input, file }, signal)) ? (await blobs.put(file, signal)).hash : null
    } finally {
      await rm(file, { force: true })
    }
  }

  /** Concurrent callers share one run, which none of them can abort for the others. */
  async #fetchOnce(repository: PlacedRepository, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const fetching =
      this.#fetching.get(repository.id) ??
      this.#fetchNow(repository, AbortSignal.timeout(bringMsMax)).finally(() => this.#fetching.delete(repository.id))
    this.#fetching.set(repository.id, fetching)
    const stopped = Promise.withResolvers<never>()
    const stop = () => stopped.reject(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    await Promise.race([fetching, stopped.promise]).finally(() => signal.removeEventListener('abort', stop))
  }

  async #fetchNow(repository: PlacedRepository, signal: AbortSignal): Promise<void> {
    await mkdir(this.#deps.repositoryFolder, { recursive: true, mode: 0o700 })
    const gitDirectory = this.#place(repository)
    // A folder may be shared after all; the lock of a killed process is soon taken over.
    const lock = { file: `${gitDirectory}.state.lock`, staleMs: staleLockMs, signal }
    await withFolderLock(lock, async () => {
      for (let attempt = 1; ; attempt++) {
        const state = await getRepositoryState(this.#deps.store.durable, repository.id)
        if (state === null) throw repositoryGone(repository)
        try {
          return await this.#follow(gitDirectory, state, signal)
        } catch (error) {
          if (attempt >= attemptsMax || !(error instanceof BlobMissingError)) throw error
        }
      }
    })
  }

  async #follow(gitDirectory: string, state: RepositoryState, signal: AbortSignal): Promise<void> {
    const local = await readLocalState(gitDirectory)
    if (local?.version === state.version) return
    await createBareRepository(gitDirectory)
    await this.#fetchPacks(gitDirectory, state, local?.packs ?? [], signal)
    await replaceRefs({ ...state, gitDirectory }, signal).catch(async (error: unknown) => {
      // Some of the objects it should have are missing or damaged.
      this.#deps.log.warn({ error, gitDirectory }, 'repository-rebuilt')
      await this.#fetchPacks(gitDirectory, state, [], signal)
      await replaceRefs({ ...state, gitDirectory }, signal)
    })
    await writeLocalState(gitDirectory, { version: state.version, packs: state.packs })
  }

  async #fetchPacks(
    gitDirectory: string,
    state: RepositoryState,
    had: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const hash of state.packs.filter((pack) => !had.includes(pack))) {
      const file = join(this.#deps.repositoryFolder, `pack-${this.#deps.ids.ulid()}.unfinished`)
      try {
        await this.#deps.blobs.download(hash, file, signal)
        await installPack({ gitDirectory, file }, signal)
      } finally {
        await rm(file, { force: true })
      }
    }
  }

  /** Adopts a repository created before states were recorded: the process that has it on disk records it. */
  async #adopt(repository: PlacedRepository, signal: AbortSignal): Promise<void> {
    const gitDirectory = this.#place(repository)
    if (!(await pathExists(join(gitDirectory, 'HEAD')))) throw repositoryElsewhere(repository)
    const state = await this.prepare(repository, signal)
    // If another process was first, its packs count.
    const isFirst = await insertRepositoryState(this.#deps.store.durable, state)
    if (!isFirst) await rm(join(gitDirectory, stateFile), { force: true })
    await this.#fetchOnce(repository, signal)
  }
}

/** Finds a ref whose name is a parent folder of another ref, which git cannot store. */
function findCollision(refs: RefTable): string | null {
  for (const ref of refs.keys()) {
    for (let end = ref.lastIndexOf('/'); end > 0; end = ref.lastIndexOf('/', end - 1)) {
      if (refs.has(ref.slice(0, end))) return ref
    }
  }
  return null
}

function isSame(one: RefTable, other: RefTable): boolean {
  return one.size === other.size && [...one].every(([ref, id]) => other.get(ref) === id)
}

function repositoryGone({ name }: PlacedRepository): AppError {
  return new AppError('repository_not_found', `The repository ${name} was removed.`)
}

function repositoryElsewhere({ name }: PlacedRepository): AppError {
  return new AppError(
    'repository_not_found',
    `The files of the repository ${name} are neither in the database nor on this machine. Start a process once on the data folder that contains them.`,
  )
}

/** Null if the repository is not here or an update of it was interrupted. */
async function readLocalState(gitDirectory: string): Promise<LocalState | null> {
  try {
    return JSON.parse(await readFile(join(gitDirectory, stateFile), 'utf8')) as LocalState // Written by `writeLocalState`.
  } catch {
    return null
  }
}

function writeLocalState(gitDirectory: string, state: LocalState): Promise<void> {
  return replaceFile(join(gitDirectory, stateFile), JSON.stringify(state))
}

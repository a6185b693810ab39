import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  readBranch,
  writeCommitObject,
  writeFirstCommit,
  writeTreeObject,
} from '../../../test/support/loose-objects.ts'
import { startPostgres } from '../../../test/support/start-postgres.ts'
import { createIdSource } from '../../base/ids.ts'
import { readRefTable } from '../../git/repositories/repository-contents.ts'
import { resolveObject } from '../../git/resolve-commit.ts'
import { runGitStrictly } from '../../git/run-git.ts'
import { type BlobStore, StoredBlobs } from '../../store/blobs/blobs.ts'
import { createDatabaseBlobs } from '../../store/blobs/database-blobs.ts'
import { openStore } from '../../store/open-store.ts'
import { insertOrganization } from '../../store/accounts/organizations.ts'
import { insertRepository, type Repository } from '../../store/hosting/repositories.ts'
import { getRepositoryState } from '../../store/hosting/repository-states.ts'
import type { Store } from '../../store/store.ts'
import { silentLog } from '../../telemetry/log.ts'
import { type FillRepository, createRepository, prepareRepository } from './create-repository.ts'
import { SharedRepositories } from './shared-repositories.ts'
import { moveRefs, openRepository, type RepositoryPlaces } from './with-repository.ts'

const server = await startPostgres()
if ('unavailable' in server) process.stderr.write(`Skipped repositories of several processes: ${server.unavailable}\n`)

const { signal } = new AbortController()
const author = { name: 'A. Writer', email: 'writer@example.com', at: 1_732_000_000_000 }
const clock = { now: () => Date.now() }
const ids = createIdSource(clock)

/** A process with its own folder. */
interface Replica extends RepositoryPlaces {
  sharedRepositories: SharedRepositories
  /** Makes storing fail, as in a process that is killed before it has stored. */
  failStoring(reason: Error | null): void
}

describe.skipIf('unavailable' in server)('repositories of several processes', () => {
  let store: Store
  const folders: string[] = []
  let organizationId: string

  beforeAll(async () => {
    store = await openStore({ databaseUrl: 'url' in server ? server.url : '', folder: tmpdir(), log: silentLog })
  }, 30_000)
  afterAll(async () => {
    await store.close()
    if ('stop' in server) await server.stop()
  }, 30_000)
  beforeEach(async () => {
    organizationId = `org-${randomBytes(4).toString('hex')}`
    await insertOrganization(store.durable, { id: organizationId, name: 'Example', createdAt: 1 })
  })
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
  })

  async function startReplica(): Promise<Replica> {
    const repositoryFolder = await mkdtemp(join(tmpdir(), 'docent-replica-'))
    folders.push(repositoryFolder)
    const stored = new StoredBlobs({ store, clock, contents: createDatabaseBlobs(store) })
    let failure: Error | null = null
    const blobs: BlobStore = {
      put: (file, putSignal) => (failure === null ? stored.put(file, putSignal) : Promise.reject(failure)),
      get: (hash, getSignal) => stored.get(hash, getSignal),
      has: (hash) => stored.has(hash),
      download: (hash, file, getSignal) => stored.download(hash, file, getSignal),
      delete: (hash) => stored.delete(hash),
      removeUnused: () => stored.removeUnused(),
    }
    const deps = { store, blobs, clock, ids, log: silentLog, repositoryFolder }
    const failStoring = (reason: Error | null) => void (failure = reason)
    return { repositoryFolder, sharedRepositories: new SharedRepositories(deps), failStoring }
  }

  const fill: FillRepository = async ({ gitDirectory }) => {
    writeFirstCommit(gitDirectory, { files: new Map([['page.md', Buffer.from('Old\n')]]), author })
  }

  function create(replica: Replica): Promise<Repository> {
    return createRepository({ ...replica, store, clock, ids }, { organizationId, name: 'docs', fill }, signal)
  }

  /** Writes an unreferenced commit on top of main into the replica's repository. */
  async function commitOn(replica: Replica, repository: Repository, text: string): Promise<string> {
    const gitDirectory = await openRepository(replica, repository, signal)
    const parent = readBranch(gitDirectory, 'main')
    if (parent === null) throw new Error('The repository was filled when it was made.')
    const tree = writeTreeObject(gitDirectory, parent, new Map([['page.md', Buffer.from(text)]]))
    return writeCommitObject(gitDirectory, { tree, parents: [parent], author, message: text })
  }

  async function read(replica: Replica, repository: Repository, ref: string): Promise<string> {
    const gitDirectory = await openRepository(replica, repository, signal)
    return (await runGitStrictly({ gitDirectory, args: ['cat-file', '-p', `${ref}:page.md`], signal })).toString('utf8')
  }

  const branch = (name: string, to: string, expected: string | null = null) => [
    { ref: `refs/heads/${name}`, to, expected },
  ]

  it('what one process creates, another with an empty disk reads completely', async () => {
    const [one, other] = [await startReplica(), await startReplica()]
    const repository = await create(one)
    const commit = await commitOn(one, repository, 'New\n')

    const moved = await moveRefs(one, repository, branch('topic', commit), signal)

    expect(moved).toBe(true)
    expect(await read(other, repository, 'refs/heads/topic')).toBe('New\n')
    expect(await read(other, repository, 'HEAD')).toBe('Old\n')
    const gitDirectory = await openRepository(other, repository, signal)
    await runGitStrictly({ gitDirectory, args: ['fsck', '--strict', '--connectivity-only'], signal })
    expect(await readdir(other.repositoryFolder)).toEqual([repository.folder])
  })

  it('what a process has lost from its disk is fetched again when a ref leads to it', async () => {
    const [one, other] = [await startReplica(), await startReplica()]
    const repository = await create(one)
    const commit = await commitOn(one, repository, 'New\n')
    await moveRefs(one, repository, branch('first', commit), signal)
    const objects = join(await openRepository(other, repository, signal), 'objects')
    await rm(objects, { recursive: true })
    await mkdir(objects)

    await moveRefs(one, repository, branch('second', commit), signal)

    expect(await read(other, repository, 'refs/heads/second')).toBe('New\n')
    expect(await read(other, repository, 'refs/heads/first')).toBe('New\n')
  })

  it('only one of several concurrent moves of a ref succeeds', async () => {
    const replicas = [await startReplica(), await startReplica()]
    const repository = await create(replicas[0] as Replica)
    const tries = await Promise.all(
      [0, 1, 2, 3].map(async (number) => {
        const replica = replicas[number % 2] as Replica
        return { replica, commit: await commitOn(replica, repository, `Change ${number}\n`) }
      }),
    )

    const moved = await Promise.all(
      tries.map(({ replica, commit }) => moveRefs(replica, repository, branch('topic', commit), signal)),
    )

    const winner = tries[moved.indexOf(true)]
    expect(moved.filter(Boolean)).toHaveLength(1)
    for (const replica of replicas) {
      const gitDirectory = await openRepository(replica, repository, signal)
      expect(await resolveObject(gitDirectory, 'refs/heads/topic', signal)).toBe(winner?.commit)
    }
  })

  it('an unrecorded change has not happened, not even for the process that made it', async () => {
    const [one, other] = [await startReplica(), await startReplica()]
    const repository = await create(one)
    const commit = await commitOn(one, repository, 'Lost\n')
    one.failStoring(new Error('killed'))

    await expect(moveRefs(one, repository, branch('topic', commit), signal)).rejects.toThrow('killed')

    for (const replica of [one, other]) {
      const gitDirectory = await openRepository(replica, repository, signal)
      expect([...(await readRefTable(gitDirectory, signal)).keys()]).toEqual(['refs/heads/main'])
    }
    one.failStoring(null)
    expect(await moveRefs(one, repository, branch('topic', commit), signal)).toBe(true)
    expect(await read(other, repository, 'refs/heads/topic')).toBe('Lost\n')
  })

  it('refs that a killed process left behind are put back at the next use', async () => {
    const replica = await startReplica()
    const repository = await create(replica)
    const commit = await commitOn(replica, repository, 'Half\n')
    const gitDirectory = join(replica.repositoryFolder, repository.folder)
    await runGitStrictly({ gitDirectory, args: ['update-ref', 'refs/heads/half', commit], signal })
    await runGitStrictly({ gitDirectory, args: ['update-ref', 'refs/heads/main', commit], signal })
    await rm(join(gitDirectory, 'docent-state.json'))

    await openRepository(replica, repository, signal)

    expect([...(await readRefTable(gitDirectory, signal)).keys()]).toEqual(['refs/heads/main'])
    expect(await read(replica, repository, 'refs/heads/main')).toBe('Old\n')
  })

  it('changes in a view apply completely, or not at all if the work fails', async () => {
    const [one, other] = [await startReplica(), await startReplica()]
    const repository = await create(one)
    const commit = await commitOn(one, repository, 'By git\n')
    const push = async (gitDirectory: string) => {
      await runGitStrictly({ gitDirectory, args: ['update-ref', 'refs/heads/topic', commit], signal })
      await runGitStrictly({ gitDirectory, args: ['update-ref', 'refs/tags/v1', commit], signal })
    }

    const failing = one.sharedRepositories.change(
      repository,
      async (gitDirectory) => {
        await push(gitDirectory)
        throw new Error('the client has gone')
      },
      signal,
    )
    await expect(failing).rejects.toThrow('the client has gone')
    const before = await readRefTable(await openRepository(other, repository, signal), signal)
    await one.sharedRepositories.change(repository, push, signal)

    expect([...before.keys()]).toEqual(['refs/heads/main'])
    expect(await read(other, repository, 'refs/tags/v1')).toBe('By git\n')
    expect(await readdir(one.repositoryFolder)).toEqual([repository.folder])
  })

  it('packs are consolidated, and every process continues from there', async () => {
    const [one, other] = [await startReplica(), await startReplica()]
    const repository = await create(one)
    for (let number = 0; number < 20; number++) {
      const commit = await commitOn(one, repository, `Change ${number}\n`)
      await moveRefs(one, repository, branch(`topic-${number}`, commit), signal)
    }
    await read(other, repository, 'refs/heads/topic-3')

    expect(await one.sharedRepositories.consolidate(repository, signal)).toBe(true)

    const state = await getRepositoryState(store.durable, repository.id)
    expect(state?.packs).toHaveLength(1)
    const late = await startReplica()
    for (const replica of [one, other, late]) {
      expect(await read(replica, repository, 'refs/heads/topic-19')).toBe('Change 19\n')
    }
    const commit = await commitOn(other, repository, 'After\n')
    await moveRefs(other, repository, branch('after', commit), signal)
    expect(await read(one, repository, 'refs/heads/after')).toBe('After\n')
    expect(await one.sharedRepositories.consolidate(repository, signal)).toBe(false)
  })

  it('a repository without a recorded state is adopted by the process that has it', async () => {
    const [one, other] = [await startReplica(), await startReplica()]
    const prepared = await prepareRepository({ repositoryFolder: one.repositoryFolder, ids }, fill, signal)
    const { id, folder, defaultBranch } = prepared
    const repository = { id, folder, defaultBranch, organizationId, name: `${organizationId}/old`, createdAt: 1 }
    await insertRepository(store.durable, repository)

    await expect(openRepository(other, repository, signal)).rejects.toMatchObject({ code: 'repository_not_found' })
    await openRepository(one, repository, signal)

    expect(await read(other, repository, 'refs/heads/main')).toBe('Old\n')
  })
})

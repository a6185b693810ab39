import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  readHead,
  readRefTable,
  readShallowMarks,
  type RefTable,
  writePack,
} from '../git/repositories/repository-contents.ts'
import type { DatabaseSnapshot, RepositoryRecord } from '../store/migrations/row-reader.ts'
import { pathExists } from '../base/path-exists.ts'
import { BackupError } from './backup-error.ts'
import { sumFile } from './sum-file.ts'

/** Where the repositories of an installation are stored. */
export interface RepositorySource {
  /** Folder of the bare repositories on this machine. */
  repositoryFolder: string
  /** Reads a pack by hash, if the database is shared; null if all packs are on this machine. */
  readPack: ((snapshot: DatabaseSnapshot, hash: string, signal: AbortSignal) => AsyncIterable<Uint8Array>) | null
}

/** A repository at one moment. Its objects are not garbage-collected while a backup runs. */
export interface CapturedRepository {
  id: string
  folder: string
  head: string
  refs: RefTable
  shallow: string | null
  /** Hashes of the packs that hold its objects; null if they are in the bare repository on this machine. */
  packs: readonly string[] | null
}

/** How often to retry when somebody pushes in the meantime. */
const capturesMax = 5

/**
 * Opens a database snapshot together with the repositories at the same moment. Where the folder is authoritative, refs
 * are read before and after the snapshot is opened, and accepted if nothing moved. After a few attempts the later refs
 * are used; the service reconciles the difference by itself: it finds a merge that its record does not know yet.
 */
export async function openCapture(
  open: () => Promise<DatabaseSnapshot>,
  source: RepositorySource,
  signal: AbortSignal,
): Promise<{ snapshot: DatabaseSnapshot; repositories: CapturedRepository[] }> {
  let before: string | null = null
  for (let attempt = 1; ; attempt++) {
    const snapshot = await open()
    try {
      const repositories = await capture(await snapshot.listRepositories(), source, signal)
      const after = JSON.stringify(repositories.map(({ id, head, refs }) => [id, head, [...refs]]))
      if (after === before || attempt > capturesMax || repositories.every(({ packs }) => packs !== null)) {
        return { snapshot, repositories }
      }
      before = after
    } catch (error) {
      // Deleted since the snapshot: the next snapshot no longer has its row.
      if (attempt > capturesMax || !(error instanceof RepositoryGoneError)) {
        await snapshot.close()
        throw error
      }
    }
    await snapshot.close()
  }
}

class RepositoryGoneError extends BackupError {}

async function capture(
  records: readonly RepositoryRecord[],
  { repositoryFolder }: RepositorySource,
  signal: AbortSignal,
): Promise<CapturedRepository[]> {
  const captured: CapturedRepository[] = []
  for (const { id, folder, state } of records) {
    if (state !== null) {
      captured.push({ id, folder, ...state })
      continue
    }
    const gitDirectory = join(repositoryFolder, folder)
    if (!(await pathExists(join(gitDirectory, 'HEAD')))) {
      throw new RepositoryGoneError(
        `The repository ${id} has no files in ${repositoryFolder}. Run the command on the data folder that holds them.`,
      )
    }
    const refs = await readRefTable(gitDirectory, signal)
    const [head, shallow] = [await readHead(gitDirectory), await readShallowMarks(gitDirectory)]
    captured.push({ id, folder, head, refs, shallow, packs: null })
  }
  return captured
}

/**
 * Fetches or builds the packs of a repository one at a time into the same file, so that the disk holds only one.
 *
 * @yields Each time the file contains a pack.
 */
export async function* readPacks(
  source: RepositorySource,
  repository: CapturedRepository,
  { snapshot, file, signal }: { snapshot: DatabaseSnapshot; file: string; signal: AbortSignal },
): AsyncGenerator<void> {
  const { folder, packs, refs } = repository
  if (packs === null) {
    const gitDirectory = join(source.repositoryFolder, folder)
    if (await writePack({ gitDirectory, wanted: [...new Set(refs.values())], held: [], file }, signal)) yield
    return
  }
  for (const hash of packs) {
    if (source.readPack === null) throw new Error('Only shared databases store packs by hash.')
    const chunks = Readable.from(source.readPack(snapshot, hash, signal))
    await pipeline(chunks, createWriteStream(file, { mode: 0o600 }), { signal })
    const { sha256 } = await sumFile(file)
    if (sha256 !== hash) {
      throw new BackupError(`The content of pack ${hash} does not match its hash. Check the database and the bucket.`)
    }
    yield
  }
}

import { join } from 'node:path'
import { createBareRepository } from '../git/bare-repository.ts'
import { installPack, replaceRefs } from '../git/repository-contents.ts'
import { BackupError } from './backup-error.ts'
import type { BackupRepository } from './backup-manifest.ts'

export interface BuildRepositoryInput {
  repository: Pick<BackupRepository, 'id' | 'head' | 'refs' | 'shallow'>
  /** Absolute; made. */
  gitDirectory: string
  packFiles: readonly string[]
}

/**
 * Makes a bare repository out of packs and refs. Git checks every object on the way, and that whatever a ref names is
 * there.
 */
export async function buildRepository(input: BuildRepositoryInput, signal: AbortSignal): Promise<void> {
  const { repository, gitDirectory, packFiles } = input
  try {
    await createBareRepository(gitDirectory)
    for (const file of packFiles) await installPack({ gitDirectory, file }, signal)
    const { head, shallow } = repository
    await replaceRefs({ gitDirectory, head, refs: new Map(Object.entries(repository.refs)), shallow }, signal)
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(`The repository ${repository.id} cannot be made from the backup: ${reason}`, { cause: error })
  }
}

/** Names of folders come from rows: only those that the service itself would have chosen lead nowhere else. */
export function placeRepository(repositoryFolder: string, { id, folder }: { id: string; folder: unknown }): string {
  if (folder === `${id}.git`) return join(repositoryFolder, folder)
  throw new BackupError(
    `The backup names the folder ${JSON.stringify(folder)} for the repository ${id}, which no Docent has made. It was changed: use another one.`,
  )
}

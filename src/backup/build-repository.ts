import { join } from 'node:path'
import { createBareRepository } from '../git/repositories/bare-repository.ts'
import { installPack, replaceRefs } from '../git/repositories/repository-contents.ts'
import { BackupError } from './backup-error.ts'
import type { BackupRepository } from './backup-manifest.ts'

export interface BuildRepositoryInput {
  repository: Pick<BackupRepository, 'id' | 'head' | 'refs' | 'shallow'>
  /** Absolute path; created. */
  gitDirectory: string
  packFiles: readonly string[]
}

/** Creates a bare repository from packs and refs. Git verifies every object, and that all refs resolve. */
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

/**
 * Folder names come from database rows: accept only names the service itself generates, so that none escapes the
 * folder.
 */
export function resolveRepositoryFolder(
  repositoryFolder: string,
  { id, folder }: { id: string; folder: unknown },
): string {
  if (folder === `${id}.git`) return join(repositoryFolder, folder)
  throw new BackupError(
    `The backup names the folder ${JSON.stringify(folder)} for the repository ${id}, which no Docent has made. It was changed: use another one.`,
  )
}

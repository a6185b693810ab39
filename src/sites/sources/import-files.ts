import { isAbsolute } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { FillRepository } from '../../codehost/builtin/create-repository.ts'
import { openFolderTree } from '../../content/trees/folder-tree.ts'
import { AppError, refusal } from '../../contract/app-error.ts'
import { importFolder, importRepository } from '../../git/repositories/bare-repository.ts'
import { findGitDirectory } from '../../git/trees/commit-tree.ts'
import { requireOutsideService } from './require-outside-service.ts'

/** Author of commits that have none. */
const importer = { name: 'Docent', email: 'docent@localhost' }

export interface ImportDeps {
  clock: Clock
  /** Folder of the built-in host's repositories, in the data folder. */
  repositoryFolder: string
}

export interface ImportSource {
  /** Absolute path of a folder, or of a checked-out or bare repository. */
  from: string
  /** Branch, tag or commit of a repository; null for its current branch. Folders have none. */
  ref: string | null
}

/**
 * Fills a new repository with the files of a folder, as one commit, or with the history of a local repository.
 *
 * @throws {AppError} `invalid_request` when called, for a path that is not absolute, cannot be read, is empty or
 *   contains the service's own data.
 */
export function importFiles(deps: ImportDeps, { from, ref }: ImportSource): FillRepository {
  return async ({ gitDirectory, branch, scratchFolder }, signal) => {
    if (!isAbsolute(from)) throw refusal(`The path ${from} is not absolute. Give the full path of the folder.`)
    const isGit = await isRepository(from)
    await requireOutsideService(deps, { path: from, mayHold: isGit })
    if (isGit) {
      await importRepository({ gitDirectory, from, ref, branch }, signal)
      return
    }
    if (ref !== null) throw refusal(`${from} is not a git repository, so it has no ref. Leave the ref out.`)
    const files = await openFolderTree(from, { signal })
    const author = { ...importer, at: deps.clock.now() }
    const message = 'Import the documentation'
    await importFolder({ gitDirectory, files, branch, author, message, scratchFolder }, signal)
  }
}

function isRepository(path: string): Promise<boolean> {
  return findGitDirectory(path).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false
      throw error
    },
  )
}

import type { Overlay, OverlayFile } from './overlay.ts'
import type { CommitSignature } from '../run-git.ts'
import { writeCommit } from '../commits/write-commit.ts'
import { normalizeFolder } from '../repository-path.ts'
import { writeTree } from './write-tree.ts'

export interface OverlayLocation {
  /** The repository that contains the overlay's base commit; new objects are written there. */
  gitDirectory: string
  overlay: Overlay
  /** The subdirectory with which the overlay's tree was opened; the whole tree by default. */
  subdirectory?: string
  /** An existing folder for temporary files, absolute and outside any repository. */
  scratchFolder: string
}

export interface CommitOverlayInput extends OverlayLocation {
  /** Full id of the overlay's base commit. */
  base: string
  /** Full ids; only the base by default. */
  parents?: readonly string[]
  /** Author and committer. The time is passed in, so that a repeat yields the same commit. */
  author: CommitSignature
  /** Title, blank line, and the rest including trailers. */
  message: string
}

/**
 * Turns an overlay into one commit that changes only its paths, without a working tree. Moves no branch: see
 * `updateRef`. The same overlay, signature and message yield the same ids on every machine.
 *
 * @returns Full ids.
 * @throws {AppError} `invalid_request` for a path that cannot be written.
 * @throws {Error} if the overlay is empty or has another base.
 */
export async function commitOverlay(
  input: CommitOverlayInput,
  signal: AbortSignal,
): Promise<{ commit: string; tree: string }> {
  const { gitDirectory, base, overlay, author, message, parents = [base] } = input
  if (overlay.base !== base) throw new Error(`The overlay is based on ${overlay.base}, not on ${base}.`)
  if (overlay.writtenFiles().size === 0) throw new Error('The overlay has no changes to commit.')
  const tree = await writeOverlayTree(input, signal)
  return { commit: await writeCommit({ gitDirectory, tree, parents, author, message }, signal), tree }
}

/**
 * Writes the files with the overlay applied as a tree, for commands that read trees, such as `grepTree`.
 *
 * @returns The tree's full id, or the base's if nothing has changed.
 */
export async function writeOverlayTree(location: OverlayLocation, signal: AbortSignal): Promise<string> {
  const { gitDirectory, overlay, subdirectory = '', scratchFolder } = location
  const files = placeFiles(overlay.writtenFiles(), subdirectory)
  if (files.size === 0) return overlay.base
  return writeTree({ gitDirectory, base: overlay.base, files, scratchFolder }, signal)
}

function placeFiles(
  files: ReadonlyMap<string, OverlayFile | null>,
  subdirectory: string,
): ReadonlyMap<string, OverlayFile | null> {
  const folder = normalizeFolder(subdirectory)
  if (folder === '') return files
  return new Map([...files].map(([path, file]) => [`${folder}/${path}`, file]))
}

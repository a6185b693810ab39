import type { Overlay, OverlayFile } from './overlay.ts'
import type { CommitSignature } from '../run-git.ts'
import { writeCommit } from '../commits/write-commit.ts'
import { writeTree } from './write-tree.ts'

export interface OverlayLocation {
  /** The repository that holds the commit which the overlay lies over; new objects go there. */
  gitDirectory: string
  overlay: Overlay
  /** The subdirectory that the overlay's tree was opened with; default the whole tree. */
  subdirectory?: string
  /** An existing folder, absolute, outside of every repository, for files that are there only meanwhile. */
  scratchFolder: string
}

export interface CommitOverlayInput extends OverlayLocation {
  /** Full id of the commit that the overlay lies over. */
  base: string
  /** Full ids; default the base alone. */
  parents?: readonly string[]
  /** Author and committer. The time is handed in, so that doing it again gives the same commit. */
  author: CommitSignature
  /** The title, an empty line and the rest, trailers included. */
  message: string
}

/**
 * Turns an overlay into one commit that changes its paths and nothing else, without a working tree. Moves no branch:
 * see `updateRef`. The same overlay, signature and message give the same ids, on every machine.
 *
 * @returns Full ids.
 * @throws {AppError} `invalid_request` for a path that cannot be written.
 * @throws {Error} When the overlay holds no change or lies over another commit.
 */
export async function commitOverlay(
  input: CommitOverlayInput,
  signal: AbortSignal,
): Promise<{ commit: string; tree: string }> {
  const { gitDirectory, base, overlay, author, message, parents = [base] } = input
  if (overlay.base !== base) throw new Error(`The overlay lies over ${overlay.base}, not over ${base}.`)
  if (overlay.writtenFiles().size === 0) throw new Error('The overlay holds no change to commit.')
  const tree = await writeOverlayTree(input, signal)
  return { commit: await writeCommit({ gitDirectory, tree, parents, author, message }, signal), tree }
}

/**
 * Writes the files as they are with the overlay as a tree, for commands that read trees, such as `grepTree`. The tree
 * of the base itself where nothing has changed.
 *
 * @returns The tree's full id, or the base's.
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
  const folder = subdirectory.replace(/^(?:\.?\/)+|\/+$/g, '')
  if (folder === '' || folder === '.') return files
  return new Map([...files].map(([path, file]) => [`${folder}/${path}`, file]))
}

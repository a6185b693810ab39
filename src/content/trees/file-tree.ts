/**
 * A snapshot of a site's source files: a folder or a commit. Sites are only read through this interface, so that no
 * file outside is reachable.
 */
export interface FileTree {
  /** Identifies the content: a commit id for a repository, a digest of names, sizes and times for a folder. */
  readonly revision: string
  /**
   * Sorted paths of regular files relative to the root, separated by `/`; without `.git` and without links that leave
   * the root.
   */
  readonly paths: readonly string[]
  /** Identifies the content of a file without reading it, such as a blob id; absent if unknown. */
  idOf?(path: string): string | null
  /** The target file of a link; null for a file. Absent if there are no links. */
  targetOf?(path: string): string | null
  /** @throws {Error} when the path is not in `paths` or cannot be read. */
  read(path: string): Promise<Uint8Array>
}

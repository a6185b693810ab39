/**
 * The files of a site's source at one moment: a folder as it was listed, or a commit. The content room reads sites
 * through this and nothing else, so that it cannot reach a file outside.
 */
export interface FileTree {
  /** Names this content: a commit id for a repository, a digest of names, sizes and times for a folder. */
  readonly revision: string
  /** Paths of regular files relative to the root, `/` between segments, sorted; no `.git`, no links that leave the root. */
  readonly paths: readonly string[]
  /** Names the content of a file without reading it, such as the id of a blob; absent where nobody knows that. */
  idOf?(path: string): string | null
  /** @throws {Error} when the path is not in `paths` or cannot be read. */
  read(path: string): Promise<Uint8Array>
}

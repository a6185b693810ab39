import { refusal } from '../../contract/app-error.ts'
import type { CommitTree } from '../trees/commit-tree.ts'
import type { OverlayFile } from './overlay.ts'
import { foldPath, quotePath } from '../repository-path.ts'

/** Resolves the paths of an overlay and decides where a file may be written. */
export class OverlayRules {
  readonly #tree: CommitTree
  readonly #written: ReadonlyMap<string, OverlayFile | null>
  readonly #skipped: ReadonlyMap<string, string>
  readonly #links: readonly string[]

  /** @param written Files that differ from the tree, null if deleted; read anew on each call. */
  constructor(tree: CommitTree, written: ReadonlyMap<string, OverlayFile | null>) {
    this.#tree = tree
    this.#written = written
    this.#skipped = new Map(tree.skipped.map(({ path, reason }) => [path, reason]))
    this.#links = tree.paths.filter((path) => (tree.find(path)?.linkTarget ?? null) !== null)
  }

  has(path: string): boolean {
    const written = this.#written.get(path)
    return written === undefined ? this.#tree.find(path) !== null : written !== null
  }

  /** Returns the path itself. @throws {AppError} if there is no such file. */
  find(path: string): string {
    if (this.has(path)) return path
    const reason = this.#skipped.get(path)
    if (reason !== undefined) throw refusal(`${quotePath(path)} cannot be used. ${reason}`)
    throw refusal(`There is no file ${quotePath(path)}. List the files to find its path.`)
  }

  /** The target of a link; any other path unchanged. */
  follow(path: string): string {
    return this.#written.get(path) === undefined ? (this.#tree.find(path)?.linkTarget ?? path) : path
  }

  /** The path to write to: a link's target, else the path itself if a file may be there. */
  findTarget(path: string): string {
    if (this.has(path)) return this.follow(path)
    this.refuseTaken(path, null)
    return path
  }

  /**
   * Rejects a new path that conflicts with existing files.
   *
   * @param leaving A path freed by the same operation.
   */
  refuseTaken(path: string, leaving: string | null): void {
    if (this.has(path)) throw refusal(`There is a file ${quotePath(path)} already. Edit it, or choose another path.`)
    for (const above of [path, ...foldersOf(path)]) {
      const reason = this.#skipped.get(above)
      if (reason !== undefined)
        throw refusal(`${quotePath(path)} cannot be written: ${quotePath(above)} is in the way. ${reason}`)
      if (above !== leaving && above !== path && this.has(above)) {
        throw refusal(
          `${quotePath(path)} cannot be written: ${quotePath(above)} is a file, not a folder. Choose another path.`,
        )
      }
    }
    this.#refuseFolderAndCase(path, leaving)
  }

  #refuseFolderAndCase(path: string, leaving: string | null): void {
    const folded = foldPath(path)
    for (const other of [...this.#tree.paths, ...this.#written.keys()]) {
      if (other === leaving) continue
      // One that was deleted may still be in checkouts where case does not count.
      const isThere = this.has(other)
      if (isThere && other.startsWith(`${path}/`))
        throw refusal(`${quotePath(path)} is a folder. Choose the path of a file.`)
      if (foldPath(other) === folded && other !== path && (isThere || this.#tree.find(other) !== null)) {
        throw refusal(
          `${quotePath(path)} differs from ${quotePath(other)} only in case or by letters that look alike, which many systems and readers cannot keep apart. Choose another path.`,
        )
      }
    }
    for (const other of this.#skipped.keys()) {
      if (other.startsWith(`${path}/`)) throw refusal(`${quotePath(path)} is a folder. Choose the path of a file.`)
    }
  }

  /** A link whose target is gone would dangle. */
  refuseLinked(path: string, verb: 'deleted' | 'moved'): void {
    if (this.follow(path) !== path) return
    const link = this.#links.find((candidate) => this.has(candidate) && this.follow(candidate) === path)
    if (link === undefined) return
    throw refusal(`${quotePath(path)} cannot be ${verb}: ${quotePath(link)} is a link to it. Delete the link first.`)
  }
}

function foldersOf(path: string): string[] {
  const segments = path.split('/')
  return segments.slice(0, -1).map((_, index) => segments.slice(0, index + 1).join('/'))
}

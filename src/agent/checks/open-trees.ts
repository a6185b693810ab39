import { type CommitTree, openCommitTree } from '../../git/trees/commit-tree.ts'

export interface TreePlace {
  gitDirectory: string
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
}

/** Trees kept open, because what is known about a base is cached for the lifetime of its tree. */
const treesMax = 6

/** Opens commits and keeps the ones used last. */
export class OpenTrees {
  /** By repository, folder and commit, least recently used first. */
  readonly #trees = new Map<string, CommitTree>()

  async open({ gitDirectory, subdirectory }: TreePlace, commit: string): Promise<CommitTree> {
    const key = JSON.stringify([gitDirectory, subdirectory, commit])
    const known = this.#trees.get(key)
    this.#trees.delete(key)
    const location = { repository: gitDirectory, ref: commit, subdirectory }
    // The tree outlives the request that opens it.
    const tree = known ?? (await openCommitTree(location, new AbortController().signal))
    this.#trees.set(key, tree)
    for (const [oldest, { close }] of [...this.#trees].slice(0, -treesMax)) {
      close()
      this.#trees.delete(oldest)
    }
    return tree
  }

  close(): void {
    for (const tree of this.#trees.values()) tree.close()
    this.#trees.clear()
  }
}

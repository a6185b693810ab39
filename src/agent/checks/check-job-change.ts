import { checkChange } from '../../content/checks/check-change.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { createMemoryTree } from '../../content/trees/memory-tree.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { type CommitTree, openCommitTree } from '../../git/trees/commit-tree.ts'
import { Overlay, type SavedOverlay } from '../../git/overlay/overlay.ts'

/** A message to the check thread. */
export interface CheckRequest {
  gitDirectory: string
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
  /** The commit to compare the change with. */
  baseCommit: string
  /** The commit below the overlay. */
  headCommit: string
  overlay: SavedOverlay
  /** Report every problem, including those of the base. */
  isWhole: boolean
}

/** Trees kept open, because the checks cache what they know about a base for the lifetime of its tree. */
const treesMax = 4

/** Checks changes one at a time and caches what it learns about their bases. */
export class JobChangeChecker {
  /** By repository, folder and commit, least recently used first. */
  readonly #trees = new Map<string, CommitTree>()

  async check(request: CheckRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    const base = await this.#open(request, request.baseCommit)
    const head = await this.#open(request, request.headCommit)
    const overlay = Overlay.restore(head, request.overlay)
    const after = overlay.snapshot()
    const problems = await (request.isWhole
      ? checkChange({ before: emptyTree, after, changedPaths: after.paths, limits: noLimits }, signal)
      : checkChange({ before: base, after, ...describeChange(base, head, overlay) }, signal))
    return problems.map(({ rule, path, line, message, severity }) => ({ rule, path, line, message, severity }))
  }

  close(): void {
    for (const tree of this.#trees.values()) tree.close()
    this.#trees.clear()
  }

  async #open({ gitDirectory, subdirectory }: CheckRequest, commit: string): Promise<CommitTree> {
    const key = JSON.stringify([gitDirectory, subdirectory, commit])
    const known = this.#trees.get(key)
    this.#trees.delete(key)
    const location = { repository: gitDirectory, ref: commit, subdirectory }
    // The tree outlives this check.
    const tree = known ?? (await openCommitTree(location, new AbortController().signal))
    this.#trees.set(key, tree)
    for (const [oldest, { close }] of [...this.#trees].slice(0, -treesMax)) {
      close()
      this.#trees.delete(oldest)
    }
    return tree
  }
}

const emptyTree: FileTree = createMemoryTree({})

/** Existing files are not changes, whatever their size. */
const noLimits = { filesMax: Infinity, fileBytesMax: Infinity, bytesMax: Infinity }

/** The earlier changes of the branch and those of the overlay, combined. */
function describeChange(base: CommitTree, head: CommitTree, overlay: Overlay) {
  const changes = overlay.changes()
  const paths = new Set(changes.flatMap(({ path, previousPath }) => [path, ...(previousPath ? [previousPath] : [])]))
  if (base !== head) {
    for (const path of new Set([...base.paths, ...head.paths])) {
      if (base.find(path)?.id !== head.find(path)?.id) paths.add(path)
    }
  }
  const renamed = new Map(
    changes.flatMap(({ path, previousPath }) => (previousPath === undefined ? [] : [[path, previousPath] as const])),
  )
  return { changedPaths: [...paths].sort(), renamed }
}

import { readChangedFiles } from '../../content/checks/changed-files.ts'
import { checkChange } from '../../content/checks/check-change.ts'
import type { Problem } from '../../content/checks/problem.ts'
import { readStateBefore } from '../../content/checks/site-state.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { createMemoryTree } from '../../content/trees/memory-tree.ts'
import { checkWalls, type WallsInput } from '../../content/walls/check-walls.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { type CommitTree, openCommitTree } from '../../git/trees/commit-tree.ts'
import { Overlay, type SavedOverlay } from '../../git/overlay/overlay.ts'

/** Asks for the problems of a change. */
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

/** Asks whether files of an overlay hold what documentation must not contain. */
export interface ForbiddenRequest extends Omit<CheckRequest, 'baseCommit' | 'isWhole'> {
  paths: readonly string[]
  /** The owner's patterns of files that may hold code. */
  allowed: readonly string[]
}

/** Asks the same of everything that a commit adds to another. */
export interface ForbiddenCommitRequest extends Omit<ForbiddenRequest, 'headCommit' | 'overlay' | 'paths'> {
  from: string
  commit: string
}

export type CheckMessage =
  | ({ kind: 'change' } & CheckRequest)
  | ({ kind: 'forbidden' } & ForbiddenRequest)
  | ({ kind: 'forbidden-commit' } & ForbiddenCommitRequest)

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
    return toAgentProblems(problems)
  }

  async findForbidden(request: ForbiddenRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    const before = await this.#open(request, request.headCommit)
    const overlay = Overlay.restore(before, request.overlay)
    const { paths: changedPaths, allowed } = request
    const renamed = listMoves(overlay)
    return toAgentProblems(
      await checkTrees({ before, after: overlay.snapshot(), changedPaths, renamed, allowed }, signal),
    )
  }

  /** Every file of the repository counts, also outside of the site's folder. */
  async findForbiddenInCommit(request: ForbiddenCommitRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    const { from, commit, subdirectory, allowed } = request
    const whole = { ...request, subdirectory: '' }
    const [wholeBefore, wholeAfter] = [await this.#open(whole, from), await this.#open(whole, commit)]
    const folder = subdirectory === '' ? '' : `${subdirectory}/`
    const changed = listChangedPaths(wholeBefore, wholeAfter)
    const before = await this.#open(request, from)
    const after = await this.#open(request, commit)
    const changedPaths = changed.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length))
    const inSite = await checkTrees({ before, after, changedPaths, renamed: new Map(), allowed }, signal)
    return [...findForbiddenEntries(wholeBefore, wholeAfter, { changed, folder }), ...toAgentProblems(inSite)]
  }

  close(): void {
    for (const tree of this.#trees.values()) tree.close()
    this.#trees.clear()
  }

  async #open(
    { gitDirectory, subdirectory }: Pick<CheckRequest, 'gitDirectory' | 'subdirectory'>,
    commit: string,
  ): Promise<CommitTree> {
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

function toAgentProblems(problems: readonly Problem[]): AgentProblem[] {
  return problems.map(({ rule, path, line, message, severity }) => ({ rule, path, line, message, severity }))
}

interface TreesToCheck extends Omit<WallsInput, 'outline' | 'files'> {
  before: FileTree
  after: FileTree
  changedPaths: readonly string[]
}

async function checkTrees({ before, after, changedPaths, ...rest }: TreesToCheck, signal: AbortSignal) {
  const { outline } = await readStateBefore(before, signal)
  const files = await readChangedFiles({ before, after, changedPaths }, signal)
  return checkWalls({ outline, files, ...rest }, signal)
}

/** Files outside of the site, and entries that are executable or not plain files. */
function findForbiddenEntries(
  before: CommitTree,
  after: CommitTree,
  { changed, folder }: { changed: readonly string[]; folder: string },
): AgentProblem[] {
  return changed.flatMap((path) => {
    const [old, now] = [before.find(path), after.find(path)]
    const isLink = now !== null && now.linkTarget !== null && now.linkTarget !== old?.linkTarget
    const isMadeExecutable = now?.isExecutable === true && old?.isExecutable !== true
    const reason = !path.startsWith(folder)
      ? 'outside of the folder of the site'
      : isLink
        ? 'a link to another file'
        : isMadeExecutable
          ? 'executable'
          : null
    const message = `${path} is ${reason}, which documentation changes must not add. Remove it from the change.`
    return reason === null ? [] : [{ rule: 'path-protected', path, line: null, message, severity: 'block' as const }]
  })
}

function listChangedPaths(before: CommitTree, after: CommitTree): string[] {
  const paths = new Set([...before.paths, ...after.paths])
  return [...paths].filter((path) => describeEntry(before, path) !== describeEntry(after, path)).sort()
}

function describeEntry(tree: CommitTree, path: string): string {
  const entry = tree.find(path)
  return entry === null ? '' : `${entry.id} ${entry.isExecutable} ${entry.linkTarget ?? ''}`
}

function listMoves(overlay: Overlay): Map<string, string> {
  return new Map(
    overlay
      .changes()
      .flatMap(({ path, previousPath }) => (previousPath === undefined ? [] : [[path, previousPath] as const])),
  )
}

/** The earlier changes of the branch and those of the overlay, combined. */
function describeChange(base: CommitTree, head: CommitTree, overlay: Overlay) {
  const changes = overlay.changes()
  const paths = new Set(changes.flatMap(({ path, previousPath }) => [path, ...(previousPath ? [previousPath] : [])]))
  if (base !== head) {
    for (const path of listChangedPaths(base, head)) paths.add(path)
  }
  return { changedPaths: [...paths].sort(), renamed: listMoves(overlay) }
}

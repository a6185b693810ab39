import { readChangedFiles } from '../../content/checks/changed-files.ts'
import { checkChange } from '../../content/checks/check-change.ts'
import { findAddedFaults, type Problem } from '../../content/checks/problem.ts'
import { readStateBefore } from '../../content/checks/site-state.ts'
import type { FileTree } from '../../content/trees/file-tree.ts'
import { createMemoryTree } from '../../content/trees/memory-tree.ts'
import { checkRemovals, type RemovalsInput } from '../../content/walls/check-removals.ts'
import { checkWalls, type WallsInput } from '../../content/walls/check-walls.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { AppError } from '../../contract/app-error.ts'
import { checkRepositoryPath, foldPath, quotePath } from '../../git/repository-path.ts'
import { isLfsPointer } from '../../git/trees/lfs-pointer.ts'
import type { CommitTree } from '../../git/trees/commit-tree.ts'
import { diffCommits } from '../../git/commits/diff-commits.ts'
import { Overlay, type OverlayChange, type SavedOverlay } from '../../git/overlay/overlay.ts'
import { listJobCommits } from './job-commits.ts'
import { OpenTrees } from './open-trees.ts'

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
  /** The owner's hashes of values that are no secrets. */
  allowedSecrets?: readonly string[]
}

/** Asks whether files of an overlay contain what documentation must not. */
export interface ForbiddenRequest extends Omit<CheckRequest, 'baseCommit' | 'isWhole'> {
  paths: readonly string[]
  jobId: string
  /** Where the branch began: what the job's commits since then have deleted counts as well. */
  baseCommit: string
  /** Whether an owner lets the job delete many files, and files that others use. */
  mayDelete: boolean
  /** The owner's patterns of files that may contain code. */
  allowed: readonly string[]
  /** Whether entries of the navigation may change in files that are code; true by default. */
  mayChangeEntries?: boolean
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

/** Checks changes one at a time. */
export class JobChangeChecker {
  readonly #trees: OpenTrees

  constructor(trees = new OpenTrees()) {
    this.#trees = trees
  }

  async check(request: CheckRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    const base = await this.#trees.open(request, request.baseCommit)
    const head = await this.#trees.open(request, request.headCommit)
    const overlay = Overlay.restore(head, request.overlay)
    const after = overlay.snapshot()
    const { allowedSecrets } = request
    const problems = await (request.isWhole
      ? checkChange({ before: emptyTree, after, changedPaths: after.paths, limits: noLimits }, signal)
      : checkChange({ before: base, after, allowedSecrets, ...describeChange(base, head, overlay) }, signal))
    return toAgentProblems(problems)
  }

  async findForbidden(request: ForbiddenRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    const before = await this.#trees.open(request, request.headCommit)
    const overlay = Overlay.restore(before, request.overlay)
    const { allowed, allowedSecrets, mayChangeEntries = true } = request
    const renamed = listMoves(overlay)
    const after = overlay.snapshot()
    const changedPaths = await this.#leaveOutBase(request, { before, after, paths: request.paths })
    const walls = { renamed, allowed, allowedSecrets, mayChangeEntries }
    const refused = await checkTrees({ before, after, changedPaths, ...walls }, signal)
    const removals = groupRemovals(overlay.changes())
    const removed = await findRefusedRemovals(request, { before, after, to: request.headCommit, ...removals }, signal)
    return toAgentProblems([...refused, ...removed])
  }

  /** Every file of the repository counts, also outside of the site's folder. */
  async findForbiddenInCommit(request: ForbiddenCommitRequest, signal: AbortSignal): Promise<AgentProblem[]> {
    const { from, commit, subdirectory, allowed, allowedSecrets } = request
    const whole = { ...request, subdirectory: '' }
    const [wholeBefore, wholeAfter] = [await this.#trees.open(whole, from), await this.#trees.open(whole, commit)]
    const folder = subdirectory === '' ? '' : `${subdirectory}/`
    const changed = listChangedPaths(wholeBefore, wholeAfter)
    const before = await this.#trees.open(request, from)
    const after = await this.#trees.open(request, commit)
    const paths = changed.filter((path) => path.startsWith(folder)).map((path) => path.slice(folder.length))
    const changedPaths = await this.#leaveOutBase(request, { before, after, paths })
    const walls = { renamed: new Map<string, string>(), allowed, allowedSecrets }
    const inSite = await checkTrees({ before, after, changedPaths, ...walls }, signal)
    const removals = await listRemovals(request, { from, to: commit }, signal)
    const removed = await findRefusedRemovals(request, { before, after, to: commit, ...removals }, signal)
    const entries = await findForbiddenEntries({ before: wholeBefore, after: wholeAfter, changed, folder })
    return [...entries, ...toAgentProblems([...inSite, ...removed])]
  }

  /** A file that the job has restored to its state on the base branch is not a change. */
  async #leaveOutBase(
    request: Pick<ForbiddenRequest, 'gitDirectory' | 'subdirectory' | 'baseCommit'>,
    { before, after, paths }: { before: CommitTree; after: FileTree; paths: readonly string[] },
  ): Promise<string[]> {
    const base = await this.#trees.open(request, request.baseCommit)
    if (base === before) return [...paths]
    const now = new Set(after.paths)
    const isBase = async (path: string) =>
      base.find(path) !== null && now.has(path) && Buffer.from(await base.read(path)).equals(await after.read(path))
    const judged = await Promise.all(paths.map(async (path) => ((await isBase(path)) ? [] : [path])))
    return judged.flat()
  }

  close(): void {
    this.#trees.close()
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

type Removals = Pick<RemovalsInput, 'deleted' | 'moved' | 'modified' | 'added'>

async function findRefusedRemovals(
  request: Pick<ForbiddenRequest, 'gitDirectory' | 'subdirectory' | 'jobId' | 'baseCommit' | 'mayDelete'>,
  { before, after, to, ...removals }: Removals & { before: FileTree; after: FileTree; to: string },
  signal: AbortSignal,
): Promise<Problem[]> {
  const { moved, ...lists } = removals
  if (request.mayDelete || (moved.size === 0 && Object.values(lists).every((paths) => paths.length === 0))) return []
  const { deleted: earlier, added } = await listEarlierChanges(request, to, signal)
  // The job may take back what it added.
  const deleted = removals.deleted.filter((path) => !added.has(path))
  const state = await readStateBefore(before, signal)
  const faults = await checkRemovals({ ...removals, before: state, after, earlier, deleted }, signal)
  return findAddedFaults({ before: [], after: faults, renamed: new Map() })
}

/** By the job's own commits, not by those that people pushed to its branch. */
async function listEarlierChanges(
  { jobId, baseCommit, ...place }: Pick<ForbiddenRequest, 'gitDirectory' | 'subdirectory' | 'jobId' | 'baseCommit'>,
  to: string,
  signal: AbortSignal,
): Promise<{ deleted: string[]; added: Set<string> }> {
  const { gitDirectory } = place
  const commits = await listJobCommits({ gitDirectory, jobId, baseCommit, headCommit: to }, signal)
  const changes = []
  for (const { id, parent } of commits) changes.push(await listRemovals(place, { from: parent, to: id }, signal))
  return {
    deleted: changes.flatMap(({ deleted }) => deleted),
    added: new Set(changes.flatMap(({ added }) => added)),
  }
}

/** What a commit of the site removes from another one, as git sees moves. */
async function listRemovals(
  { gitDirectory, subdirectory }: Pick<CheckRequest, 'gitDirectory' | 'subdirectory'>,
  range: { from: string; to: string },
  signal: AbortSignal,
): Promise<Removals> {
  const { files } = await diffCommits({ gitDirectory, ...range, patchBytesMax: 0, filesMax: Infinity }, signal)
  const folder = subdirectory === '' ? '' : `${subdirectory}/`
  const below = files.map(({ path, previousPath, kind }) => ({ path, previousPath: previousPath ?? path, kind }))
  const ofSite = below.filter(({ path, previousPath }) => path.startsWith(folder) && previousPath.startsWith(folder))
  const strip = (path: string) => path.slice(folder.length)
  return groupRemovals(
    ofSite.map(({ path, previousPath, kind }) => ({ path: strip(path), previousPath: strip(previousPath), kind })),
  )
}

function groupRemovals(changes: readonly Pick<OverlayChange, 'path' | 'previousPath' | 'kind'>[]): Removals {
  const list = (wanted: OverlayChange['kind']) => changes.flatMap(({ path, kind }) => (kind === wanted ? [path] : []))
  const moves = changes.filter(({ kind }) => kind === 'renamed')
  return {
    deleted: list('deleted'),
    moved: new Map(moves.map(({ path, previousPath = path }) => [previousPath, path])),
    modified: list('modified'),
    added: list('added'),
  }
}

interface EntriesToCheck {
  before: CommitTree
  after: CommitTree
  changed: readonly string[]
  /** The site's, with a slash at its end; empty for the root. */
  folder: string
}

/** Files outside of the site, entries that are no plain files, and paths that mean another file on some systems. */
async function findForbiddenEntries({ before, after, changed, folder }: EntriesToCheck): Promise<AgentProblem[]> {
  const known = new Set(before.skipped.map(({ path }) => path))
  const modules = after.skipped.filter(({ path }) => !known.has(path)).map(({ path }) => path)
  const problems = modules.map((path) => refuseEntry(path, 'not a file that can be read'))
  for (const path of changed) {
    const reason = path.startsWith(folder)
      ? await describeEntryFault({ before, after }, path)
      : 'outside of the folder of the site'
    if (reason !== null) problems.push(refuseEntry(path, reason))
  }
  return problems
}

async function describeEntryFault(
  { before, after }: Pick<EntriesToCheck, 'before' | 'after'>,
  path: string,
): Promise<string | null> {
  const [old, now] = [before.find(path), after.find(path)]
  if (now === null) return null
  if (now.linkTarget !== null && now.linkTarget !== old?.linkTarget) return 'a link to another file'
  if (now.isExecutable && old?.isExecutable !== true) return 'executable'
  if (now.linkTarget === null && isLfsPointer(await after.read(path))) return 'a pointer of Git LFS'
  return old === null ? describePathFault(after, path) : null
}

function describePathFault(after: CommitTree, path: string): string | null {
  try {
    checkRepositoryPath(path)
  } catch (error) {
    if (error instanceof AppError) return 'at a path that some systems read differently'
    throw error
  }
  const folded = foldPath(path)
  const isTaken = after.paths.some((other) => other !== path && foldPath(other) === folded)
  return isTaken ? 'the same file as another one where case does not count, or looks like it' : null
}

function refuseEntry(path: string, reason: string): AgentProblem {
  const message = `${quotePath(path)} is ${reason}, which documentation changes must not add. Remove it from the change.`
  return { rule: 'path-protected', path, line: null, message, severity: 'block' }
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

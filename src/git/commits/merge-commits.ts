import { findMergeBase, listCommits } from './diff-commits.ts'
import { checkObjectId } from '../object-id.ts'
import { resolveObjects } from '../resolve-commit.ts'
import { type CommitSignature, runGit, runGitStrictly } from '../run-git.ts'
import { type FileMerger, type MergeConflict, mergeFiles, parseConflicts } from './merge-files.ts'
import { replaceEntries } from './replace-entries.ts'
import { writeCommit } from './write-commit.ts'

export type MergeOutcome =
  /** Full id of the merged tree. */
  | { clean: true; tree: string }
  | {
      clean: false
      /** Paths with conflicts, sorted. */
      files: string[]
      conflicts: MergeConflict[]
      /** Full id of the tree in which everything else is merged. */
      tree: string
    }

/** Two commits cannot be merged because they share no history. */
export class UnrelatedHistoriesError extends Error {}

export interface MergeTreesInput {
  /** Must be one of our own repositories: its configuration can name merge programs to run. */
  gitDirectory: string
  ours: string
  theirs: string
  /** Merges files that git cannot merge by lines; without it, they are conflicts. */
  mergeFile?: FileMerger | undefined
}

/**
 * Merges two commits without a working tree and without moving any ref.
 *
 * @throws {UnrelatedHistoriesError} if they share no history.
 */
export async function mergeTrees(input: MergeTreesInput, signal: AbortSignal): Promise<MergeOutcome> {
  const { gitDirectory, ours, theirs, mergeFile } = input
  const args = ['merge-tree', '--write-tree', '-z', '--no-messages', checkObjectId(ours), checkObjectId(theirs)]
  // Nothing to merge: see `findMergeBase`.
  const [parent, whole] = await resolveObjects(gitDirectory, [`${theirs}^`, `${theirs}^{tree}`], signal)
  if (parent === ours && whole != null) return { clean: true, tree: whole }
  const { exitCode, stdout, stderr } = await runGit({ gitDirectory, args, signal })
  const [line = '', ...entries] = stdout.toString('utf8').split('\0')
  const tree = line.trim()
  if (exitCode === 0) return { clean: true, tree }
  if (exitCode === 1) return resolve({ gitDirectory, tree, mergeFile }, parseConflicts(entries), signal)
  const message = `git merge-tree exited with ${exitCode}: ${stderr.trim()}`
  throw stderr.includes('refusing to merge unrelated histories')
    ? new UnrelatedHistoriesError(message)
    : new Error(message)
}

async function resolve(
  { gitDirectory, tree, mergeFile }: Pick<MergeTreesInput, 'gitDirectory' | 'mergeFile'> & { tree: string },
  conflicts: MergeConflict[],
  signal: AbortSignal,
): Promise<MergeOutcome> {
  const merged = await mergeFiles({ gitDirectory, conflicts, mergeFile }, signal)
  const left = conflicts.filter(({ path }) => !merged.has(path))
  const resolved = await replaceEntries({ gitDirectory, tree, entries: merged }, signal)
  if (left.length === 0) return { clean: true, tree: resolved }
  return { clean: false, files: left.map(({ path }) => path), conflicts: left, tree: resolved }
}

export interface RebaseBranchInput {
  gitDirectory: string
  /** Full id of the branch's tip. */
  tip: string
  /** Full id of the commit to rebase onto. */
  onto: string
  /** Committer and time; authors are kept. Passed in, so that a repeat yields the same commits. */
  committer: CommitSignature
}

export type RebaseOutcome =
  /** `tip` is the branch's new tip: `onto` itself if nothing is left to apply. */
  | { outcome: 'rebased'; tip: string }
  | { outcome: 'conflict'; files: string[] }
  /** The branch contains merges or more than 200 commits, or shares no history with its new base. */
  | { outcome: 'not-linear' }

const rebaseCommitsMax = 200

/**
 * Rebases the commits of a branch onto a new base, if each of them merges cleanly. Moves no branch.
 *
 * The tree of each commit is that of its merge with the new base, because both share the old base as merge base.
 */
export async function rebaseBranch(input: RebaseBranchInput, signal: AbortSignal): Promise<RebaseOutcome> {
  const { gitDirectory, tip, onto, committer } = input
  const base = await findMergeBase({ gitDirectory, ours: onto, theirs: tip }, signal)
  if (base === null) return { outcome: 'not-linear' }
  if (base === onto) return { outcome: 'rebased', tip }
  const commits = await listCommits({ gitDirectory, from: base, to: tip, limit: rebaseCommitsMax + 1 }, signal)
  if (commits.length > rebaseCommitsMax || commits.some(({ parents }) => parents.length !== 1)) {
    return { outcome: 'not-linear' }
  }
  let parent = onto
  let parentTree = await readTree(gitDirectory, onto, signal)
  for (const commit of commits.toReversed()) {
    const merged = await mergeTrees({ gitDirectory, ours: onto, theirs: commit.id }, signal)
    if (!merged.clean) return { outcome: 'conflict', files: merged.files }
    if (merged.tree === parentTree) continue
    const author = { name: commit.authorName, email: commit.authorEmail, at: commit.authoredAt }
    const { message } = commit
    const written = { gitDirectory, tree: merged.tree, parents: [parent], author, committer, message }
    parent = await writeCommit(written, signal)
    parentTree = merged.tree
  }
  return { outcome: 'rebased', tip: parent }
}

export interface TransplantCommitInput {
  gitDirectory: string
  /** Full id of a commit. */
  commit: string
  /** Full id of the commit it is based on; the difference between the two is applied. */
  from: string
  /** Full id of the commit to apply it to. */
  onto: string
  /** Committer and time; author and message are kept. */
  committer: CommitSignature
  mergeFile?: FileMerger
}

export type TransplantOutcome =
  /** `commit` is the new commit: `onto` itself if it already contains the change. */
  { outcome: 'moved'; commit: string } | { outcome: 'conflict'; files: string[] }

/** Applies the change of one commit to another, if it merges cleanly: see `mergeChange`. */
export async function transplantCommit(input: TransplantCommitInput, signal: AbortSignal): Promise<TransplantOutcome> {
  const { gitDirectory, commit, from, onto, committer, mergeFile } = input
  const [summary] = await listCommits({ gitDirectory, from: null, to: commit, limit: 1 }, signal)
  if (summary === undefined) throw new Error(`The commit ${commit} cannot be read.`)
  const merged = await mergeChange({ gitDirectory, from, to: commit, onto, sign: committer, mergeFile }, signal)
  if (!merged.clean) return { outcome: 'conflict', files: merged.files }
  if (merged.tree === (await readTree(gitDirectory, onto, signal))) return { outcome: 'moved', commit: onto }
  const author = { name: summary.authorName, email: summary.authorEmail, at: summary.authoredAt }
  const { message } = summary
  const parents = [onto]
  const moved = await writeCommit({ gitDirectory, tree: merged.tree, parents, author, committer, message }, signal)
  return { outcome: 'moved', commit: moved }
}

/**
 * Applies the difference between two commits to a third. Works without common history, so also in a shallow copy, and
 * never brings back what a force push removed.
 *
 * Git 2.38 merges only commits with a common ancestor, so three unreferenced commits are written to provide one.
 *
 * @param input.sign Of those commits; the same one for a repeat that writes nothing new.
 */
export async function mergeChange(
  input: Pick<MergeTreesInput, 'gitDirectory' | 'mergeFile'> &
    Record<'from' | 'to' | 'onto', string> & { sign: CommitSignature },
  signal: AbortSignal,
): Promise<MergeOutcome> {
  const { gitDirectory, from, to, onto, sign: author, mergeFile } = input
  const sign = { gitDirectory, author, message: 'A step of a merge' }
  const [before, ours, theirs] = await Promise.all([from, onto, to].map((id) => readTree(gitDirectory, id, signal)))
  const base = await writeCommit({ ...sign, tree: before ?? '', parents: [] }, signal)
  const side = (tree = '') => writeCommit({ ...sign, tree, parents: [base] }, signal)
  return mergeTrees({ gitDirectory, ours: await side(ours), theirs: await side(theirs), mergeFile }, signal)
}

async function readTree(gitDirectory: string, commit: string, signal: AbortSignal): Promise<string> {
  const args = ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]
  return (await runGitStrictly({ gitDirectory, args, signal })).toString('utf8').trim()
}

import { findMergeBase, listCommits } from './diff-commits.ts'
import { checkObjectId } from '../object-id.ts'
import { type CommitSignature, runGit, runGitStrictly } from '../run-git.ts'
import { writeCommit, type WriteCommitInput } from './write-commit.ts'

export type MergeOutcome =
  /** Full id of the merged tree. */
  | { clean: true; tree: string }
  /** Paths that both sides changed in ways that cannot be joined, sorted. */
  | { clean: false; files: string[] }

/** Two commits cannot be merged, because their histories have nothing in common. */
export class UnrelatedHistoriesError extends Error {}

/**
 * Merges two commits without a working tree and without moving anything.
 *
 * @param input.gitDirectory A repository of ours: its configuration may name programs that merge.
 * @throws {UnrelatedHistoriesError} When they share no history.
 */
export async function mergeTrees(
  { gitDirectory, ours, theirs }: { gitDirectory: string; ours: string; theirs: string },
  signal: AbortSignal,
): Promise<MergeOutcome> {
  const flags = ['--write-tree', '-z', '--name-only', '--no-messages']
  const args = ['merge-tree', ...flags, checkObjectId(ours), checkObjectId(theirs)]
  const { exitCode, stdout, stderr } = await runGit({ gitDirectory, args, signal })
  const [tree = '', ...files] = stdout.toString('utf8').split('\0')
  if (exitCode === 0) return { clean: true, tree: tree.trim() }
  if (exitCode === 1) return { clean: false, files: [...new Set(files.filter(Boolean))].sort() }
  const message = `git merge-tree ended with ${exitCode}: ${stderr.trim()}`
  throw stderr.includes('refusing to merge unrelated histories')
    ? new UnrelatedHistoriesError(message)
    : new Error(message)
}

/** The commit of a merge; moves no branch. @param input.parents The branch merged into first. @returns Its full id. */
export function writeMergeCommit(
  input: Omit<WriteCommitInput, 'parents'> & { parents: readonly [ours: string, theirs: string] },
  signal: AbortSignal,
): Promise<string> {
  return writeCommit(input, signal)
}

export interface RebaseBranchInput {
  gitDirectory: string
  /** Full id of the branch's newest commit. */
  tip: string
  /** Full id of the commit that the branch is to begin at. */
  onto: string
  /** Who moves the commits, and when; authors stay. Handed in, so that doing it again gives the same commits. */
  committer: CommitSignature
}

export type RebaseOutcome =
  /** `tip` is the branch's new newest commit: `onto` itself when nothing of the branch is left to do. */
  | { outcome: 'rebased'; tip: string }
  | { outcome: 'conflict'; files: string[] }
  /** The branch holds merges or more than 200 commits, or shares no history with its new base. */
  | { outcome: 'not-linear' }

const rebaseCommitsMax = 200

/**
 * Puts the commits of a branch on a new base, if each of them merges cleanly. Moves no branch.
 *
 * The tree of each commit is that of its merge with the new base, because the merge base of both is the old base.
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
  /** Full id of the commit that it changes: what differs between the two is moved. */
  from: string
  /** Full id of the commit that it is to change instead. */
  onto: string
  /** Who moves it, and when; the author and the message stay. */
  committer: CommitSignature
}

export type TransplantOutcome =
  /** `commit` is the moved one: `onto` itself when that holds the change already. */
  { outcome: 'moved'; commit: string } | { outcome: 'conflict'; files: string[] }

/**
 * Puts what one commit changes on another commit, if that is clean. The histories do not matter, so that it works in a
 * copy of the newest commits alone, and what a force push took away does not come back.
 *
 * Git 2.38 merges only what has a common history: three commits that nothing names are written to have one.
 */
export async function transplantCommit(input: TransplantCommitInput, signal: AbortSignal): Promise<TransplantOutcome> {
  const { gitDirectory, commit, from, onto, committer } = input
  const [summary] = await listCommits({ gitDirectory, from: null, to: commit, limit: 1 }, signal)
  if (summary === undefined) throw new Error(`The commit ${commit} cannot be read.`)
  const sign = { gitDirectory, author: committer, committer, message: 'A step of a merge' }
  const [before, ours, theirs] = await Promise.all([from, onto, commit].map((id) => readTree(gitDirectory, id, signal)))
  const base = await writeCommit({ ...sign, tree: before ?? '', parents: [] }, signal)
  const side = (tree = '') => writeCommit({ ...sign, tree, parents: [base] }, signal)
  const merged = await mergeTrees({ gitDirectory, ours: await side(ours), theirs: await side(theirs) }, signal)
  if (!merged.clean) return { outcome: 'conflict', files: merged.files }
  if (merged.tree === ours) return { outcome: 'moved', commit: onto }
  const author = { name: summary.authorName, email: summary.authorEmail, at: summary.authoredAt }
  const { message } = summary
  const parents = [onto]
  const moved = await writeCommit({ gitDirectory, tree: merged.tree, parents, author, committer, message }, signal)
  return { outcome: 'moved', commit: moved }
}

async function readTree(gitDirectory: string, commit: string, signal: AbortSignal): Promise<string> {
  const args = ['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`]
  return (await runGitStrictly({ gitDirectory, args, signal })).toString('utf8').trim()
}

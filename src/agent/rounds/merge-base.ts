import { mergeFile } from '../../content/navigation/merge-file.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'
import type { MergeConflict } from '../../git/commits/merge-files.ts'
import { mergeTrees } from '../../git/commits/merge-commits.ts'
import { writeCommit } from '../../git/commits/write-commit.ts'
import { replaceEntries } from '../../git/commits/replace-entries.ts'

/** An address that receives no mail. */
export const author = { name: 'Docent', email: 'docent@localhost' }

export interface MergeBaseInput {
  /** Has both commits and their history. */
  gitDirectory: string
  /** Full id of the tip of the job's branch. */
  branch: string
  /** Full id of the tip of the base branch. */
  base: string
  /** UTC milliseconds: the time of the commit. */
  at: number
}

export interface MergedBase {
  /** Full id of the merge. */
  commit: string
  /** Paths that neither lines nor structure could merge: the commit has the base's version of them. */
  conflicts: MergeConflict[]
}

/**
 * Merges the base branch into a job's branch, as a commit that is on no branch yet. The same input gives the same commit.
 *
 * @returns Null if the branch contains the base, or they share no history.
 */
export async function mergeBase(input: MergeBaseInput, signal: AbortSignal): Promise<MergedBase | null> {
  const { gitDirectory, branch, base, at } = input
  const sides = { gitDirectory, ours: branch, theirs: base }
  const from = await findMergeBase(sides, signal)
  if (from === null || from === base) return null
  const merged = await mergeTrees({ ...sides, mergeFile }, signal)
  const conflicts = merged.clean ? [] : merged.conflicts
  const entries = new Map(conflicts.map(({ path, theirs }) => [path, theirs]))
  const tree = await replaceEntries({ gitDirectory, tree: merged.tree, entries }, signal)
  const written = { gitDirectory, tree, author: { ...author, at }, message: 'Merge the base branch' }
  return { commit: await writeCommit({ ...written, parents: [branch, base] }, signal), conflicts }
}

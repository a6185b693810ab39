import { AppError } from '../../contract/app-error.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'
import { mergeTrees } from '../../git/commits/merge-commits.ts'
import { writeCommit } from '../../git/commits/write-commit.ts'
import { openBuiltinCodeHost } from './builtin-code-host.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import { mergeConflict } from './merge-conflict.ts'
import { serviceIdentity, type Person, signAs } from './person.ts'
import { reconcilePullRequest } from './reconcile-pull-request.ts'
import { branchMoved, requireOpen, requireReviewed } from './require-reviewed.ts'

/**
 * Merges the base branch into the branch of a pull request.
 *
 * @param input.head The branch's newest commit that the person has seen.
 * @throws {AppError} `merge_conflict` naming the files; `conflict` if there is nothing to bring in, or the branch moved.
 */
export async function updateBranch(
  deps: BuiltinHostDeps,
  { id, head, by }: { id: string; head: string; by: Person },
  signal: AbortSignal,
): Promise<void> {
  const reconciled = await reconcilePullRequest(deps, id, signal)
  requireOpen(reconciled)
  requireReviewed(reconciled, head)
  const { record, repository, gitDirectory } = reconciled
  const { headBranch, baseBranch, baseCommit } = record
  const sides = { gitDirectory, ours: head, theirs: baseCommit }
  const mergeBase = await findMergeBase(sides, signal)
  if (mergeBase === null || mergeBase === baseCommit) {
    throw new AppError('conflict', `"${headBranch}" already has everything of "${baseBranch}", or shares no history.`)
  }
  const merged = await mergeTrees({ ...sides, mergeFile: deps.mergeFile }, signal)
  if (!merged.clean) throw mergeConflict(record, merged.files)
  const at = deps.clock.now()
  const signatures = { author: signAs(by, at), committer: { ...serviceIdentity, at } }
  const message = `Merge branch '${baseBranch}' into ${headBranch}`
  const parents: [string, string] = [head, baseCommit]
  const commit = await writeCommit({ gitDirectory, tree: merged.tree, parents, ...signatures, message }, signal)
  const host = openBuiltinCodeHost(deps, repository)
  const pushed = await host.pushBranch({ branch: headBranch, commit, expected: head }, signal)
  if (pushed.outcome === 'moved') throw branchMoved()
}

import { AppError } from '../../contract/app-error.ts'
import { mergeChange } from '../../git/commits/merge-commits.ts'
import { resolveObjects } from '../../git/resolve-commit.ts'
import { writeCommit } from '../../git/commits/write-commit.ts'
import { openBuiltinCodeHost } from './builtin-code-host.ts'
import type { BuiltinHostDeps } from './builtin-host-deps.ts'
import { nameFiles } from './merge-conflict.ts'
import { serviceIdentity, type Person, signAs } from './person.ts'
import { type ReconciledPullRequest, reconcilePullRequest } from './reconcile-pull-request.ts'

/** Branches `revert-1`, `revert-1-2` and so on are tried. */
const branchesMax = 20

/**
 * Undoes a merge in a new pull request. Repeating it finds the one that is open.
 *
 * @returns The id of the pull request.
 * @throws {AppError} `conflict` if it is not merged or already undone; `merge_conflict` naming the files that have
 *   changed since.
 */
export async function revertPullRequest(
  deps: BuiltinHostDeps,
  { id, by }: { id: string; by: Person },
  signal: AbortSignal,
): Promise<string> {
  const reconciled = await reconcilePullRequest(deps, id, signal)
  const { number, title, baseBranch } = reconciled.record
  const host = openBuiltinCodeHost(deps, reconciled.repository)
  const { commit: onto } = await host.resolveBranch(baseBranch, signal)
  const commit = await writeRevert(deps, { reconciled, onto, by }, signal)
  for (let attempt = 1; attempt <= branchesMax; attempt++) {
    const branch = `revert-${number}${attempt === 1 ? '' : `-${attempt}`}`
    const open = await host.findPullRequest({ branch }, signal)
    if (open?.state === 'open') return open.id
    const pushed = await host.pushBranch({ branch, commit, expected: null }, signal)
    if (pushed.outcome === 'moved') continue
    const text = { title: `Revert “${title}”`, body: `Undoes pull request #${number}.` }
    const input = { branch, base: baseBranch, ...text, isDraft: false, jobId: null, authorId: by.id, checks: [] }
    return (await host.openPullRequest(input, signal)).id
  }
  throw new AppError('conflict', `Pull request #${number} was reverted ${branchesMax} times. Push a branch yourself.`)
}

/** At the time of the merge, so that a repeat writes the same commit. */
async function writeRevert(
  { mergeFile }: Pick<BuiltinHostDeps, 'mergeFile'>,
  { reconciled, onto, by }: { reconciled: ReconciledPullRequest; onto: string; by: Person },
  signal: AbortSignal,
): Promise<string> {
  const { gitDirectory, record } = reconciled
  const { mergeCommit, number, title, endedAt } = record
  if (mergeCommit === null) {
    throw new AppError('conflict', 'Only a merged pull request can be reverted. Close this one instead.')
  }
  const [before = null, current] = await resolveObjects(gitDirectory, [`${mergeCommit}^1`, `${onto}^{tree}`], signal)
  if (before === null) throw new AppError('conflict', 'The commit before the merge is gone. Push a branch yourself.')
  const at = endedAt ?? 0
  const sign = { author: signAs(by, at), committer: { ...serviceIdentity, at } }
  const change = { gitDirectory, from: mergeCommit, to: before, onto, mergeFile }
  const merged = await mergeChange({ ...change, sign: sign.committer }, signal)
  if (!merged.clean) {
    throw new AppError(
      'merge_conflict',
      `These files have changed since the merge: ${nameFiles(merged.files)}. Undo the change in a branch of your own.`,
    )
  }
  if (merged.tree === current) throw new AppError('conflict', 'The changes of this pull request are already undone.')
  const message = `Revert "${title}"\n\nUndoes pull request #${number}, merged as ${mergeCommit}.`
  return writeCommit({ gitDirectory, tree: merged.tree, parents: [onto], ...sign, message }, signal)
}

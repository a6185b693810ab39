import type { CodeHost, PullRequest } from '../../codehost/code-host.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'

/** The commits of a pull request in one repository on this machine. */
export interface ChangedCommits {
  gitDirectory: string
  headCommit: string
  /** Where it left its base. */
  baseCommit: string
}

/** @throws {AppError} from the host. */
export async function findChangedCommits(
  host: CodeHost,
  { head, base }: PullRequest,
  signal: AbortSignal,
): Promise<ChangedCommits> {
  const [ours, theirs] = [await host.openBase(base.commit, signal), await host.openBase(head.commit, signal)]
  try {
    const { gitDirectory } = theirs
    await theirs.joinHistory([base.commit, head.commit], signal)
    const left = await findMergeBase({ gitDirectory, ours: base.commit, theirs: head.commit }, signal)
    return { gitDirectory, headCommit: head.commit, baseCommit: left ?? base.commit }
  } finally {
    await Promise.all([ours.close(), theirs.close()])
  }
}

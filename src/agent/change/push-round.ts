import type { CodeHost } from '../../codehost/code-host.ts'
import { ForgeError } from '../../codehost/forge/forge-error.ts'
import { AppError } from '../../contract/app-error.ts'
import { rebaseBranch } from '../../git/merge-commits.ts'
import type { RoundCommit } from './commit-round.ts'
import type { JobRound } from '../rounds/job-round.ts'
import type { JobWorkspace } from '../rounds/job-workspace.ts'

/** The branch of a job went somewhere that its change cannot follow. */
export class BranchConflictError extends AppError {
  constructor(branch: string) {
    super(
      'conflict',
      `Somebody has pushed to ${branch} meanwhile, and the change does not fit on that. Send a message to do it again on the branch as it is now.`,
    )
  }
}

/**
 * Pushes the commit of a round to the job's branch, if the claim is still held. Where somebody has pushed to the branch
 * meanwhile, the commit is put on top of that, if it is clean.
 *
 * @throws {LeaseLostError} before anything was pushed; {BranchConflictError}.
 */
export async function pushRound(
  round: JobRound,
  host: CodeHost,
  { gitDirectory }: Pick<JobWorkspace, 'gitDirectory'>,
  made: RoundCommit,
  signal: AbortSignal,
): Promise<RoundCommit> {
  const { branch } = round.job
  await round.note({ events: [] })
  const first = await host.pushBranch({ branch, commit: made.commit, expected: round.checkpoint.branchCommit }, signal)
  const commit =
    first.outcome === 'pushed'
      ? first.commit
      : await pushOnTop({ round, host, gitDirectory, made, tip: first.commit }, signal)
  await round.note({ events: [{ type: 'branch-pushed', branch, commit }] })
  return { ...made, commit }
}

interface PushOnTopInput {
  round: JobRound
  host: CodeHost
  gitDirectory: string
  made: RoundCommit
  /** What the branch names now; null when it is gone. */
  tip: string | null
}

async function pushOnTop(input: PushOnTopInput, signal: AbortSignal): Promise<string> {
  const { round, host, gitDirectory, made, tip } = input
  const { branch } = round.job
  let commit = made.commit
  if (tip !== null) {
    const base = await host.openBase(tip, signal)
    try {
      // Where the host has dropped what the change stands on, nothing joins them, and it does not fit.
      await base.joinHistory([tip, round.checkpoint.headCommit], signal).catch(ignoreRefusal)
      const committer = { name: 'Docent', email: 'docent@localhost', at: round.checkpoint.delivery?.at ?? 0 }
      const moved = await rebaseBranch({ gitDirectory, tip: made.commit, onto: tip, committer }, signal)
      if (moved.outcome !== 'rebased') throw new BranchConflictError(branch)
      // An earlier try, of which nobody saw the end, has pushed it.
      if (moved.tip === tip) return tip
      commit = moved.tip
    } finally {
      await base.close()
    }
  }
  await round.note({ events: [] })
  const pushed = await host.pushBranch({ branch, commit, expected: tip }, signal)
  if (pushed.outcome === 'pushed') return pushed.commit
  throw new BranchConflictError(branch)
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ForgeError) || error.isPassing) throw error
}

import type { CodeHost } from '../../codehost/code-host.ts'
import { ForgeError } from '../../codehost/forge/forge-error.ts'
import { AppError } from '../../contract/app-error.ts'
import { rebaseBranch } from '../../git/commits/merge-commits.ts'
import { author, type RoundCommit } from './commit-round.ts'
import { type JobRound, noteRound, requireClaim, type RoundDeps } from '../rounds/job-round.ts'

/** The job's branch has moved, and the change conflicts with its new tip. */
export class BranchConflictError extends AppError {
  constructor(branch: string) {
    super(
      'conflict',
      `Someone else pushed to ${branch}, and the change conflicts with that. Send a message to redo it on the current branch.`,
    )
  }
}

interface PushInput {
  round: JobRound
  host: CodeHost
  gitDirectory: string
  made: RoundCommit
}

/**
 * Pushes the commit of a round to the job's branch while holding the claim. If someone else has pushed to the branch,
 * the commit is rebased onto their work, unless that conflicts.
 *
 * @throws {LeaseLostError} before anything is pushed; {BranchConflictError}.
 */
export async function pushRound(deps: RoundDeps, input: PushInput, signal: AbortSignal): Promise<RoundCommit> {
  const { round, host, made } = input
  const { branch } = round.job
  await requireClaim(deps, round)
  const first = await host.pushBranch({ branch, commit: made.commit, expected: round.checkpoint.branchCommit }, signal)
  const commit = first.outcome === 'pushed' ? first.commit : await pushOnTop(deps, input, first.commit, signal)
  await noteRound(deps, round, { events: [{ type: 'branch-pushed', branch, commit }] })
  return { ...made, commit }
}

/** @param tip The current tip of the branch; null if it was deleted. */
async function pushOnTop(deps: RoundDeps, input: PushInput, tip: string | null, signal: AbortSignal): Promise<string> {
  const { round, host, made } = input
  const { branch } = round.job
  const commit = tip === null ? made.commit : await rebaseOnto(input, tip, signal)
  // An earlier attempt pushed it and lost the reply.
  if (commit === tip) return tip
  await requireClaim(deps, round)
  const pushed = await host.pushBranch({ branch, commit, expected: tip }, signal)
  if (pushed.outcome === 'pushed') return pushed.commit
  throw new BranchConflictError(branch)
}

async function rebaseOnto({ round, host, gitDirectory, made }: PushInput, tip: string, signal: AbortSignal) {
  const base = await host.openBase(tip, signal)
  try {
    // If the host no longer has the commit below the change, the rebase conflicts.
    await base.joinHistory([tip, round.checkpoint.headCommit], signal).catch(ignoreRefusal)
    const committer = { ...author, at: round.checkpoint.delivery?.at ?? 0 }
    const moved = await rebaseBranch({ gitDirectory, tip: made.commit, onto: tip, committer }, signal)
    if (moved.outcome === 'rebased') return moved.tip
    throw new BranchConflictError(round.job.branch)
  } finally {
    await base.close()
  }
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ForgeError) || error.isPassing) throw error
}

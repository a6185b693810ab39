import type { CodeHost } from '../../codehost/code-host.ts'
import { ForgeError } from '../../codehost/forge/forge-error.ts'
import { AppError } from '../../contract/app-error.ts'
import { rebaseBranch } from '../../git/merge-commits.ts'
import { author, type RoundCommit } from './commit-round.ts'
import { type JobRound, noteRound, requireClaim, type RoundDeps } from '../rounds/job-round.ts'

/** The branch of a job went somewhere that its change cannot follow. */
export class BranchConflictError extends AppError {
  constructor(branch: string) {
    super(
      'conflict',
      `Somebody has pushed to ${branch} meanwhile, and the change does not fit on that. Send a message to do it again on the branch as it is now.`,
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
 * Pushes the commit of a round to the job's branch, if the claim is still held. Where somebody has pushed to the branch
 * meanwhile, the commit is put on top of that, if it is clean.
 *
 * @throws {LeaseLostError} before anything was pushed; {BranchConflictError}.
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

/** @param tip What the branch names now; null when it is gone. */
async function pushOnTop(deps: RoundDeps, input: PushInput, tip: string | null, signal: AbortSignal): Promise<string> {
  const { round, host, made } = input
  const { branch } = round.job
  const commit = tip === null ? made.commit : await rebaseOnto(input, tip, signal)
  // An earlier attempt, of which nobody saw the end, has pushed it.
  if (commit === tip) return tip
  await requireClaim(deps, round)
  const pushed = await host.pushBranch({ branch, commit, expected: tip }, signal)
  if (pushed.outcome === 'pushed') return pushed.commit
  throw new BranchConflictError(branch)
}

async function rebaseOnto({ round, host, gitDirectory, made }: PushInput, tip: string, signal: AbortSignal) {
  const base = await host.openBase(tip, signal)
  try {
    // Where the host has dropped what the change stands on, nothing joins them, and it does not fit.
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

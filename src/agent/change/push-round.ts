import type { CodeHost } from '../../codehost/code-host.ts'
import { ForgeError } from '../../codehost/forge/forge-error.ts'
import type { AgentProblem } from '../../contract/agent-job-event.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { rebaseBranch, transplantCommit } from '../../git/commits/merge-commits.ts'
import { author, mergeBase } from '../rounds/merge-base.ts'
import type { RoundCommit } from './commit-round.ts'
import { isDeletionAllowed } from '../rounds/job-workspace.ts'
import type { CommitSignature } from '../../git/run-git.ts'
import type { BranchUpdate } from '../rounds/job-checkpoint.ts'
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

/** The commit contains what documentation must not. */
export class ForbiddenChangeError extends AppError {
  constructor(problems: readonly AgentProblem[]) {
    const messages = problems.slice(0, 5).map(({ message }) => message)
    super('invalid_request', `The change was not pushed. ${messages.join(' ')}`)
  }
}

type PushDeps = RoundDeps & Pick<AgentDeps, 'checks'>

interface PushInput {
  round: JobRound
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
  /** The owner's patterns of files that may contain code. */
  allowed: readonly string[]
  /** The owner's hashes of values that are no secrets. */
  allowedSecrets: readonly string[]
  host: CodeHost
  gitDirectory: string
  made: RoundCommit
}

/**
 * Pushes the commit of a round to the job's branch while holding the claim. If someone else has pushed to the branch,
 * the commit is rebased onto their work, unless that conflicts.
 *
 * @throws {LeaseLostError} and {ForbiddenChangeError} before anything is pushed; {BranchConflictError}.
 */
export async function pushRound(deps: PushDeps, input: PushInput, signal: AbortSignal): Promise<RoundCommit> {
  const { round, made } = input
  const { branch } = round.job
  const expected = round.checkpoint.branchCommit
  const first = await pushChecked(deps, { ...input, from: made.from, commit: made.commit, expected }, signal)
  const commit = first.outcome === 'pushed' ? first.commit : await pushOnTop(deps, input, first.commit, signal)
  await noteRound(deps, round, { events: [{ type: 'branch-pushed', branch, commit }] })
  return { ...made, commit }
}

/** @param tip The current tip of the branch; null if it was deleted. */
async function pushOnTop(deps: PushDeps, input: PushInput, tip: string | null, signal: AbortSignal): Promise<string> {
  const { round, made } = input
  const { branch } = round.job
  const { commit, from } = tip === null ? { ...made, commit: made.commit } : await rebaseOnto(input, tip, signal)
  // An earlier attempt pushed it and lost the reply.
  if (commit === tip) return tip
  const pushed = await pushChecked(deps, { ...input, from, commit, expected: tip }, signal)
  if (pushed.outcome === 'pushed') return pushed.commit
  throw new BranchConflictError(branch)
}

/**
 * The only place that pushes. Looks at the commit itself, whoever made it and however, so that nothing forbidden leaves
 * by a way round the tools.
 */
async function pushChecked(
  deps: PushDeps,
  {
    round,
    host,
    from,
    commit,
    expected,
    ...place
  }: PushInput & { from: string; commit: string; expected: string | null },
  signal: AbortSignal,
) {
  const { gitDirectory, subdirectory, allowed, allowedSecrets } = place
  const mayDelete = await isDeletionAllowed(deps, round.job.id)
  const location = { gitDirectory, subdirectory, jobId: round.job.id, baseCommit: place.made.base }
  const request = { ...location, allowed, allowedSecrets, mayDelete, from, commit }
  const forbidden = await deps.checks.findForbiddenInCommit(request, signal)
  if (forbidden.length > 0) throw new ForbiddenChangeError(forbidden)
  await requireClaim(deps, round)
  return host.pushBranch({ branch: round.job.branch, commit, expected }, signal)
}

async function rebaseOnto({ round, host, gitDirectory, made }: PushInput, tip: string, signal: AbortSignal) {
  const base = await host.openBase(tip, signal)
  try {
    const { headCommit, branchCommit, update, delivery } = round.checkpoint
    // If the host no longer has the commit below the change, the rebase conflicts.
    await base.joinHistory([tip, branchCommit ?? headCommit], signal).catch(ignoreRefusal)
    const committer = { ...author, at: delivery?.at ?? 0 }
    if (update !== null && made.from === headCommit) {
      const place = { gitDirectory, tip, update, committer }
      const again = await updateAgain(place, made, signal)
      if (again !== null) return again
    } else {
      const moved = await rebaseBranch({ gitDirectory, tip: made.commit, onto: tip, committer }, signal)
      if (moved.outcome === 'rebased') return { commit: moved.tip, from: tip }
    }
    throw new BranchConflictError(round.job.branch)
  } finally {
    await base.close()
  }
}

/** Merges the base into the branch as it is now, and puts the change on top. @returns Null if something conflicts. */
async function updateAgain(
  place: { gitDirectory: string; tip: string; update: BranchUpdate; committer: CommitSignature },
  made: RoundCommit,
  signal: AbortSignal,
): Promise<{ commit: string; from: string } | null> {
  const { gitDirectory, tip, update, committer } = place
  const merged = await mergeBase({ gitDirectory, branch: tip, ...update }, signal)
  if (merged !== null && merged.conflicts.length > 0) return null
  const onto = merged?.commit ?? tip
  const moved = await transplantCommit({ gitDirectory, commit: made.commit, from: made.from, onto, committer }, signal)
  return moved.outcome === 'moved' ? { commit: moved.commit, from: onto } : null
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ForgeError) || error.isPassing) throw error
}

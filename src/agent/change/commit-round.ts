import type { CodeHost } from '../../codehost/code-host.ts'
import { commitOverlay } from '../../git/overlay/commit-overlay.ts'
import { diffCommits, type FileDiff, findMergeBase } from '../../git/commits/diff-commits.ts'
import { transplantCommit } from '../../git/commits/merge-commits.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { describeWork } from './describe-work.ts'
import type { JobCheckpoint } from '../rounds/job-checkpoint.ts'
import { type JobRound, recordStep } from '../rounds/job-round.ts'
import { writeCommitMessage } from './pull-request-text.ts'
import type { RoundWork } from '../rounds/work-on-round.ts'

/** The work of a round as a commit that is not on a branch yet. */
export interface RoundCommit {
  commit: string
  /** What the commit is based on: all changes since are pushed with it. */
  from: string
  /** Where the branch leaves its base. */
  base: string
  /** All changes of the branch. */
  files: FileDiff[]
  /** Files that conflict with the base branch, which has moved since. */
  conflicts: string[]
}

/** An address that receives no mail. */
export const author = { name: 'Docent', email: 'docent@localhost' }

const filesMax = 1_000

/**
 * Writes the commit of a round. If the base branch has moved and the job's branch is not published yet, the commit is
 * rebased onto the new tip, unless that conflicts.
 *
 * Time and tip are recorded first, so that repeating this after a crash gives the same commit.
 *
 * @returns `made` is null if nothing changed or the base branch already contains the change.
 * @throws {LeaseLostError}
 */
export async function commitRound(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'scratchFolder'>,
  { round: worked, place: { host, job }, workspace }: RoundWork,
  signal: AbortSignal,
): Promise<{ round: JobRound; made: RoundCommit | null }> {
  const { gitDirectory, overlay, subdirectory } = workspace
  if (overlay.changes().length === 0) return { round: worked, made: null }
  const { headCommit, baseCommit } = worked.checkpoint
  const delivery = worked.checkpoint.delivery ?? (await chooseDelivery(worked.checkpoint, host, job.ref, signal))
  const isFixed = worked.checkpoint.delivery !== null
  const round = isFixed ? worked : await recordStep(deps, worked, { checkpoint: { ...worked.checkpoint, delivery } })
  const signature = { ...author, at: delivery.at }
  const message = writeCommitMessage({ jobId: job.id, work: describeWork(round) })
  const { scratchFolder } = deps
  const location = { gitDirectory, overlay, subdirectory, scratchFolder, base: headCommit }
  const { commit } = await commitOverlay({ ...location, author: signature, message }, signal)
  const moving = { host, gitDirectory, tip: commit, onto: delivery.onto, from: headCommit, signature }
  const { tip, conflicts } = await moveOnto(moving, signal)
  if (tip === delivery.onto) return { round, made: null }
  const ours = delivery.onto ?? baseCommit
  const base = (await findMergeBase({ gitDirectory, ours, theirs: tip }, signal)) ?? baseCommit
  const { files } = await diffCommits({ gitDirectory, from: base, to: tip, patchBytesMax: 0, filesMax }, signal)
  return { round, made: { commit: tip, from: round.checkpoint.branchCommit ?? base, base, files, conflicts } }
}

async function chooseDelivery(checkpoint: JobCheckpoint, host: CodeHost, ref: string, signal: AbortSignal) {
  const at = checkpoint.recordedAt
  // People may have fetched a published branch, so its commits stay.
  if (checkpoint.branchCommit !== null) return { at, onto: null }
  const { commit } = await host.resolveBranch(ref, signal)
  return { at, onto: commit === checkpoint.headCommit ? null : commit }
}

interface MoveInput {
  host: CodeHost
  gitDirectory: string
  tip: string
  onto: string | null
  /** The commit that the round began at, which the host has. */
  from: string
  signature: { name: string; email: string; at: number }
}

async function moveOnto({ host, gitDirectory, tip, onto, from, signature }: MoveInput, signal: AbortSignal) {
  if (onto === null) return { tip, conflicts: [] }
  const base = await host.openBase(onto, signal)
  try {
    const moved = await transplantCommit({ gitDirectory, commit: tip, from, onto, committer: signature }, signal)
    return moved.outcome === 'moved' ? { tip: moved.commit, conflicts: [] } : { tip, conflicts: moved.files }
  } finally {
    await base.close()
  }
}

import type { CodeHost } from '../../codehost/code-host.ts'
import { mergeFile } from '../../content/navigation/merge-file.ts'
import { commitOverlay } from '../../git/overlay/commit-overlay.ts'
import { diffCommits, type FileDiff, findMergeBase } from '../../git/commits/diff-commits.ts'
import { mergeTrees, transplantCommit } from '../../git/commits/merge-commits.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { describeWork } from './describe-work.ts'
import type { JobCheckpoint } from '../rounds/job-checkpoint.ts'
import { type JobRound, recordStep } from '../rounds/job-round.ts'
import { author } from '../rounds/merge-base.ts'
import { listOpenConflicts } from '../tools/open-conflicts.ts'
import { writeCommitMessage } from './pull-request-text.ts'
import type { RoundWork } from '../rounds/work-on-round.ts'

/** The work of a round as a commit that is not on a branch yet. */
export interface RoundCommit {
  commit: string
  /** What the commit is judged against: what came before is not the agent's. */
  from: string
  /** Where the branch leaves its base. */
  base: string
  /** All changes of the branch. */
  files: FileDiff[]
}

export interface CommittedRound {
  round: JobRound
  /** Null if there is nothing to push. */
  made: RoundCommit | null
  /** Files that conflict with the base branch. */
  conflicts: string[]
  /** Whether these come from a base that moved while the agent worked, so that it knows nothing of them. */
  isOutdated: boolean
}

const filesMax = 1_000

/**
 * Writes the commit of a round. If the base branch has moved and the job's branch is not published yet, the commit is
 * rebased onto the new tip, unless that conflicts. If conflicts with the base are left open, the merge of the base is
 * left out, because it lacks what the branch changed in those files.
 *
 * Time and tip are recorded first, so that repeating this after a crash gives the same commit.
 *
 * @param isLinear Leaves the merge of the base out in any case, for hosts that take none.
 * @throws {LeaseLostError}
 */
export async function commitRound(
  deps: Pick<AgentDeps, 'store' | 'clock' | 'scratchFolder'>,
  { round: worked, place: { host, job }, workspace }: RoundWork,
  isLinear: boolean,
  signal: AbortSignal,
): Promise<CommittedRound> {
  const { gitDirectory, overlay, subdirectory } = workspace
  const { headCommit, branchCommit, update, tools } = worked.checkpoint
  const open = listOpenConflicts(tools, workspace)
  const isChanged = overlay.changes().length > 0
  if (!isChanged && update === null) return { round: worked, made: null, conflicts: [], isOutdated: false }
  const delivery = worked.checkpoint.delivery ?? (await chooseDelivery(worked.checkpoint, host, job.ref, signal))
  const isFixed = worked.checkpoint.delivery !== null
  const round = isFixed ? worked : await recordStep(deps, worked, { checkpoint: { ...worked.checkpoint, delivery } })
  const signature = { ...author, at: delivery.at }
  const message = writeCommitMessage({ jobId: job.id, work: describeWork(round) })
  const location = { gitDirectory, overlay, subdirectory, scratchFolder: deps.scratchFolder, base: headCommit }
  const written = isChanged ? await commitOverlay({ ...location, author: signature, message }, signal) : null
  const isUpdateLeftOut = update !== null && (isLinear || open.length > 0)
  const onto = isUpdateLeftOut ? branchCommit : delivery.onto
  const moving = { host, gitDirectory, tip: written?.commit ?? headCommit, onto, from: headCommit, signature }
  const { tip, conflicts } = await moveOnto(moving, signal)
  const isLost = tip === onto || (isUpdateLeftOut && conflicts.length > 0)
  if (isLost) return { round, made: null, conflicts: open, isOutdated: false }
  const from = isUpdateLeftOut || update === null ? branchCommit : headCommit
  const parent = onto !== null && tip !== moving.tip ? onto : headCommit
  const base = delivery.onto ?? round.checkpoint.baseCommit
  const made = await describeCommit({ gitDirectory, tip, parent, from, base }, signal)
  if (open.length > 0) return { round, made, conflicts: open, isOutdated: false }
  const left =
    conflicts.length > 0
      ? conflicts
      : await findConflicts(host, { ...round.checkpoint, tip, base: delivery.base, known: onto }, signal)
  return { round, made, conflicts: left, isOutdated: left.length > 0 && !isLinear }
}

interface CommitToDescribe {
  gitDirectory: string
  tip: string
  /** The commit that the tip continues. */
  parent: string
  from: string | null
  base: string
}

async function describeCommit(
  { gitDirectory, tip, parent, from, base: ours }: CommitToDescribe,
  signal: AbortSignal,
): Promise<RoundCommit> {
  const base = parent === ours ? ours : ((await findMergeBase({ gitDirectory, ours, theirs: tip }, signal)) ?? ours)
  const { files } = await diffCommits({ gitDirectory, from: base, to: tip, patchBytesMax: 0, filesMax }, signal)
  return { commit: tip, from: from ?? base, base, files }
}

async function chooseDelivery(checkpoint: JobCheckpoint, host: CodeHost, ref: string, signal: AbortSignal) {
  const at = checkpoint.recordedAt
  const { commit: base } = await host.resolveBranch(ref, signal)
  // People may have fetched a published branch, so its commits stay.
  if (checkpoint.branchCommit !== null) return { at, onto: null, base }
  return { at, onto: base === checkpoint.headCommit ? null : base, base }
}

/** Files that would conflict if the host merged a commit now. */
async function findConflicts(
  host: CodeHost,
  {
    tip,
    base,
    known,
    baseCommit,
    branchCommit,
  }: { tip: string; base: string; known: string | null } & Pick<JobCheckpoint, 'baseCommit' | 'branchCommit'>,
  signal: AbortSignal,
): Promise<string[]> {
  if (base === known || base === baseCommit || branchCommit === null) return []
  const opened = await host.openBase(base, signal)
  try {
    const { gitDirectory } = opened
    await opened.joinHistory([base, branchCommit], signal)
    const from = await findMergeBase({ gitDirectory, ours: base, theirs: tip }, signal)
    if (from === null || from === base) return []
    const merged = await mergeTrees({ gitDirectory, ours: base, theirs: tip }, signal)
    return merged.clean ? [] : merged.files
  } finally {
    await opened.close()
  }
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
    const input = { gitDirectory, commit: tip, from, onto, committer: signature, mergeFile }
    const moved = await transplantCommit(input, signal)
    return moved.outcome === 'moved' ? { tip: moved.commit, conflicts: [] } : { tip, conflicts: moved.files }
  } finally {
    await base.close()
  }
}

import type { CodeHost } from '../../codehost/code-host.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import { findMergeBase } from '../../git/commits/diff-commits.ts'
import { describeConflicts } from './describe-conflicts.ts'
import type { JobCheckpoint } from './job-checkpoint.ts'
import type { JobPlace } from './job-workspace.ts'
import { mergeBase } from './merge-base.ts'

/** The commits that a round works with. */
export interface PinnedCommits {
  commits: Pick<JobCheckpoint, 'baseCommit' | 'headCommit' | 'branchCommit' | 'update'>
  /** Paths that the model has to merge. */
  conflicts: string[]
  /** What the model has to know about them; null for none. */
  note: string | null
}

/** Pins the commits of a new round. A follow-up begins with its branch brought up to date with the base. */
export async function pinCommits(
  { host, job }: Pick<JobPlace, 'host' | 'job'>,
  at: number,
  signal: AbortSignal,
): Promise<PinnedCommits> {
  const { ref, branch, round } = job
  const { commit: base } = await host.resolveBranch(ref, signal)
  const tip = await findBranch(host, branch, signal)
  if (tip !== null) return pinBranch(host, { base, tip, at, isUpdated: round > 1 }, signal)
  const commits = { baseCommit: base, headCommit: base, branchCommit: null, update: null }
  return { commits, conflicts: [], note: null }
}

/** @returns Null if the host refuses because the branch does not exist. */
async function findBranch(host: CodeHost, branch: string, signal: AbortSignal): Promise<string | null> {
  return host.resolveBranch(branch, signal).then(
    ({ commit }) => commit,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'invalid_request') return null
      throw error
    },
  )
}

export interface BranchToPin {
  base: string
  tip: string
  /** UTC milliseconds: the time of the merge. */
  at: number
  /** Whether to merge the base if the branch lacks some of it. */
  isUpdated: boolean
}

/** Pins an existing branch. */
export async function pinBranch(
  host: CodeHost,
  { base, tip, at, isUpdated }: BranchToPin,
  signal: AbortSignal,
): Promise<PinnedCommits> {
  const opened = await host.openBase(tip, signal)
  try {
    await opened.joinHistory([base, tip], signal)
    const { gitDirectory } = opened
    const merged = isUpdated ? await mergeBase({ gitDirectory, branch: tip, base, at }, signal) : null
    if (merged === null) {
      const baseCommit = (await findMergeBase({ gitDirectory, ours: base, theirs: tip }, signal)) ?? base
      return { commits: { baseCommit, headCommit: tip, branchCommit: tip, update: null }, conflicts: [], note: null }
    }
    const conflicts = merged.conflicts.map(({ path }) => path)
    const commits = { baseCommit: base, headCommit: merged.commit, branchCommit: tip, update: { base, at } }
    const isConflicting = conflicts.length > 0
    const note = isConflicting ? await describeConflicts({ gitDirectory, branch: tip, base }, conflicts, signal) : null
    return { commits, conflicts, note }
  } finally {
    await opened.close()
  }
}

const conflictsNamedMax = 100

/** None if the branch was up to date. */
export function describeUpdate({ commits, conflicts }: Omit<PinnedCommits, 'note'>): AgentJobEvent[] {
  const { update } = commits
  if (update === null) return []
  return [{ type: 'base-merged', commit: update.base, conflicts: conflicts.slice(0, conflictsNamedMax) }]
}

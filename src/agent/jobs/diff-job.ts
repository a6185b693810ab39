import { writeOverlayTree } from '../../git/overlay/commit-overlay.ts'
import { type CommitDiff, diffCommits } from '../../git/commits/diff-commits.ts'
import { type AgentJobState, readAgentJobState } from '../../store/agent/agent-job-steps.ts'
import type { AgentJob } from '../../store/agent/agent-jobs.ts'
import type { AgentRequestDeps } from '../agent-deps.ts'
import { type StoredCheckpoint, unpackCheckpoint } from '../rounds/stored-checkpoint.ts'
import { findSiteHost } from './job-source.ts'
import { openJobOverlay } from '../rounds/job-workspace.ts'

/** Larger diffs are truncated and marked so. */
const patchBytesMax = 400_000
const filesMax = 200

/** The changes of a job since the commit it began at. */
export interface JobDiff extends CommitDiff, Pick<AgentJobState<StoredCheckpoint>, 'round' | 'step'> {
  /** Full id. */
  baseCommit: string
}

/**
 * Diffs a job's last checkpoint, so that people can watch the change grow. Patches quote file contents: always escape
 * them.
 *
 * @returns At most 200 files and 400 kB of patches; null before the first checkpoint, or if the site no longer has a
 *   repository.
 */
export async function diffJob(
  deps: Pick<AgentRequestDeps, 'store' | 'openHost' | 'scratchFolder'>,
  { id, siteId }: Pick<AgentJob, 'id' | 'siteId'>,
  signal: AbortSignal,
): Promise<JobDiff | null> {
  const { store, scratchFolder } = deps
  const state = await readAgentJobState<StoredCheckpoint>(store.durable, id)
  const source = state === null ? null : await findSiteHost(deps, siteId)
  if (state === null || source === null) return null
  const { round, step } = state
  const checkpoint = unpackCheckpoint(state)
  const { baseCommit } = checkpoint
  const { overlay, gitDirectory, subdirectory, close } = await openJobOverlay(source, checkpoint, signal)
  try {
    const tree = await writeOverlayTree({ gitDirectory, overlay, subdirectory, scratchFolder }, signal)
    const diff = await diffCommits({ gitDirectory, from: baseCommit, to: tree, patchBytesMax, filesMax }, signal)
    return { round, step, baseCommit, ...diff }
  } finally {
    await close()
  }
}

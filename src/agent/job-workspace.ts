import type { BaseRepository, BranchTip, CodeHost } from '../codehost/code-host.ts'
import { AppError } from '../contract/app-error.ts'
import type { AgentProblem } from '../contract/agent-job-event.ts'
import { writeOverlayTree } from '../git/commit-overlay.ts'
import { openCommitTree } from '../git/commit-tree.ts'
import { findMergeBase } from '../git/diff-commits.ts'
import { grepTree } from '../git/grep-tree.ts'
import { Overlay } from '../git/overlay.ts'
import type { AgentJob } from '../store/agent-jobs.ts'
import type { Site } from '../store/sites.ts'
import type { AgentDeps } from './agent-deps.ts'
import type { AgentToolDeps, AgentToolState } from './agent-tool.ts'
import type { JobCheckpoint, RoundStart } from './job-checkpoint.ts'
import { navigationFiles } from './navigation-file.ts'
import { readConventions } from './repository-conventions.ts'

/** The opened repository of a job, with the job's changes over it. Nothing is checked out. */
export interface JobWorkspace {
  overlay: Overlay
  gitDirectory: string
  /** Where the site lies in the repository; empty for its root. */
  subdirectory: string
  grep: AgentToolDeps['grep']
  check: AgentToolDeps['check']
  navigationFile: string | null
  close(): Promise<void>
}

export interface JobPlace {
  job: AgentJob
  site: Site
  host: CodeHost
}

/** Where a round begins: the commits are pinned here, and everything later works on them. */
export async function beginRound(
  { clock }: Pick<AgentDeps, 'clock'>,
  { job, host }: JobPlace,
  signal: AbortSignal,
): Promise<RoundStart> {
  const base = await host.resolveBranch(job.ref, signal)
  const branch = await findBranch(host, job.branch, signal)
  const headCommit = branch?.commit ?? base.commit
  const baseCommit = branch === null ? base.commit : await findCommonBase(host, base.commit, branch.commit, signal)
  return {
    baseCommit,
    headCommit,
    branchCommit: branch?.commit ?? null,
    overlay: { base: headCommit, files: [] },
    tools: freshToolState(),
    ...(await readConventions(host, signal)),
    reminders: 0,
    activeMs: 0,
    tokens: 0,
    costUsd: 0,
    recordedAt: clock.now(),
    delivery: null,
    stop: null,
  }
}

function freshToolState(): AgentToolState {
  return { plan: [], finished: null, mendings: 0, problems: [], checkedState: null }
}

/** Hosts refuse to resolve a branch that is not there; any other failure is one. */
async function findBranch(host: CodeHost, branch: string, signal: AbortSignal): Promise<BranchTip | null> {
  return host.resolveBranch(branch, signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'invalid_request') return null
    throw error
  })
}

async function findCommonBase(host: CodeHost, base: string, tip: string, signal: AbortSignal): Promise<string> {
  const opened = await host.openBase(tip, signal)
  try {
    return (await findMergeBase({ gitDirectory: opened.gitDirectory, ours: base, theirs: tip }, signal)) ?? base
  } finally {
    await opened.close()
  }
}

/** Opens the repository where a checkpoint left it. Close it when done. */
export async function openWorkspace(
  deps: Pick<AgentDeps, 'scratchFolder' | 'checks'>,
  { site, host }: JobPlace,
  checkpoint: JobCheckpoint,
  signal: AbortSignal,
): Promise<JobWorkspace> {
  const base = await host.openBase(checkpoint.headCommit, signal)
  const { gitDirectory } = base
  const { subdirectory } = site.source
  const location = { repository: gitDirectory, ref: checkpoint.headCommit, subdirectory }
  const tree = await openCommitTree(location, signal).catch((error: unknown) => closeAndThrow(base, error))
  const overlay = Overlay.restore(tree, checkpoint.overlay)
  return {
    overlay,
    gitDirectory,
    subdirectory,
    navigationFile: navigationFiles.find((file) => overlay.has(file)) ?? null,
    grep: async ({ pathPrefix, ...query }, grepSignal) => {
      const { scratchFolder } = deps
      const revision = await writeOverlayTree({ gitDirectory, overlay, subdirectory, scratchFolder }, grepSignal)
      return grepTree({ gitDirectory, revision, subdirectory, pathPrefix, ...query }, grepSignal)
    },
    check: ({ isWhole }, checkSignal): Promise<AgentProblem[]> => {
      const { baseCommit, headCommit } = checkpoint
      const request = { gitDirectory, subdirectory, baseCommit, headCommit, overlay: overlay.toJSON(), isWhole }
      return deps.checks.check(request, checkSignal)
    },
    close: async () => {
      tree.close()
      await base.close()
    },
  }
}

async function closeAndThrow(base: BaseRepository, error: unknown): Promise<never> {
  await base.close()
  throw error
}

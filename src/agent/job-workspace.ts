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
import type { ContextFiles } from './context-files.ts'
import { openContextFiles, reservedPaths } from './open-context-files.ts'
import { pinContexts } from './pin-contexts.ts'
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
  contexts: ContextFiles
  close(): Promise<void>
}

export interface JobPlace {
  job: AgentJob
  site: Site
  host: CodeHost
}

/** Where a round begins: the commits are pinned here, and everything later works on them. */
export async function beginRound(
  deps: Pick<AgentDeps, 'clock' | 'store' | 'log' | 'contexts'>,
  { job, site, host }: JobPlace,
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
    contexts: await pinContexts(deps, site.id, signal),
    reminders: 0,
    activeMs: 0,
    tokens: 0,
    costUsd: 0,
    recordedAt: deps.clock.now(),
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
    await opened.joinHistory([base, tip], signal)
    return (await findMergeBase({ gitDirectory: opened.gitDirectory, ours: base, theirs: tip }, signal)) ?? base
  } finally {
    await opened.close()
  }
}

/** The changes of a job over the commit that they were made on. */
export type JobOverlay = Pick<JobWorkspace, 'overlay' | 'gitDirectory' | 'subdirectory' | 'close'>

/** Opens the repository where a checkpoint left it, for looking at the changes. Close it when done. */
export async function openJobOverlay(
  { site, host }: Pick<JobPlace, 'site' | 'host'>,
  checkpoint: Pick<JobCheckpoint, 'baseCommit' | 'headCommit' | 'overlay' | 'contexts'>,
  signal: AbortSignal,
): Promise<JobOverlay> {
  const { baseCommit, headCommit } = checkpoint
  const base = await host.openBase(headCommit, signal)
  const { gitDirectory } = base
  const { subdirectory } = site.source
  // Checks compare with the commit that the branch began at, which another machine may have fetched.
  if (baseCommit !== headCommit) {
    await base.joinHistory([baseCommit, headCommit], signal).catch((error: unknown) => closeAndThrow(base, error))
  }
  const location = { repository: gitDirectory, ref: headCommit, subdirectory }
  const tree = await openCommitTree(location, signal).catch((error: unknown) => closeAndThrow(base, error))
  return {
    overlay: Overlay.restore(tree, checkpoint.overlay, {
      reserved: reservedPaths(checkpoint.contexts ?? [], tree.paths),
    }),
    gitDirectory,
    subdirectory,
    close: async () => {
      tree.close()
      await base.close()
    },
  }
}

/** Opens the repository where a checkpoint left it, with all that the agent works with. Close it when done. */
export async function openWorkspace(
  deps: Pick<AgentDeps, 'scratchFolder' | 'checks' | 'store' | 'contexts'>,
  place: JobPlace,
  checkpoint: JobCheckpoint,
  signal: AbortSignal,
): Promise<JobWorkspace> {
  const opened = await openJobOverlay(place, checkpoint, signal)
  const { overlay, gitDirectory, subdirectory } = opened
  const { baseCommit, headCommit } = checkpoint
  const contexts = openContextFiles(deps, checkpoint.contexts ?? [], overlay)
  return {
    ...opened,
    contexts,
    navigationFile: navigationFiles.find((file) => overlay.has(file)) ?? null,
    grep: async ({ pathPrefix, ...query }, grepSignal) => {
      const { scratchFolder } = deps
      const revision = await writeOverlayTree({ gitDirectory, overlay, subdirectory, scratchFolder }, grepSignal)
      return grepTree({ gitDirectory, revision, subdirectory, pathPrefix, ...query }, grepSignal)
    },
    check: ({ isWhole }, checkSignal): Promise<AgentProblem[]> => {
      const request = { gitDirectory, subdirectory, baseCommit, headCommit, overlay: overlay.toJSON(), isWhole }
      return deps.checks.check(request, checkSignal)
    },
    close: async () => {
      contexts.close()
      await opened.close()
    },
  }
}

async function closeAndThrow(base: BaseRepository, error: unknown): Promise<never> {
  await base.close()
  throw error
}

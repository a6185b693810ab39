import type { BaseRepository, CodeHost } from '../../codehost/code-host.ts'
import { readSiteSettings } from '../../contract/site-settings.ts'
import { openCommitTree } from '../../git/trees/commit-tree.ts'
import { Overlay } from '../../git/overlay/overlay.ts'
import { type AgentJob, getAgentJob } from '../../store/agent/agent-jobs.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AgentDeps } from '../agent-deps.ts'
import type { AgentToolDeps } from '../tools/agent-tool.ts'
import type { JobCheckpoint } from './job-checkpoint.ts'
import { mergeBase } from './merge-base.ts'
import type { ContextFiles } from '../contexts/context-files.ts'
import { openContextFiles, listReservedPaths } from '../contexts/open-context-files.ts'
import { toToolAccess } from './tool-access.ts'

/** A job's repository with the job's changes as an overlay. Nothing is checked out. */
export interface JobWorkspace {
  overlay: Overlay
  gitDirectory: string
  /** The site's folder in the repository; empty for the root. */
  subdirectory: string
  askSite: AgentToolDeps['askSite']
  diff: AgentToolDeps['diff']
  history: AgentToolDeps['history']
  revert: AgentToolDeps['revert']
  check: AgentToolDeps['check']
  findForbidden: AgentToolDeps['findForbidden']
  contexts: ContextFiles
  close(): Promise<void>
}

export interface JobPlace {
  job: AgentJob
  site: Site
  host: CodeHost
}

/** A job's changes on top of their commit. */
export type JobOverlay = Pick<JobWorkspace, 'overlay' | 'gitDirectory' | 'subdirectory' | 'close'>

/** Opens the changes of a checkpoint for reading. Close it when done. */
export async function openJobOverlay(
  { site, host }: Pick<JobPlace, 'site' | 'host'>,
  checkpoint: Pick<JobCheckpoint, 'baseCommit' | 'headCommit' | 'branchCommit' | 'update' | 'overlay' | 'contexts'>,
  signal: AbortSignal,
): Promise<JobOverlay> {
  const { baseCommit, headCommit, branchCommit, update } = checkpoint
  const known = update === null || branchCommit === null ? headCommit : branchCommit
  const base = await host.openBase(known, signal)
  const { gitDirectory } = base
  const { subdirectory } = site.source
  // Checks compare with the base commit, which only another machine may have fetched.
  if (baseCommit !== known) {
    await base.joinHistory([baseCommit, known], signal).catch((error: unknown) => closeAndThrow(base, error))
  }
  // Only this machine may have written it, or nobody may have named it for long.
  if (update !== null) {
    const merge = { gitDirectory, branch: known, base: update.base, at: update.at }
    await mergeBase(merge, signal).catch((error: unknown) => closeAndThrow(base, error))
  }
  const location = { repository: gitDirectory, ref: headCommit, subdirectory }
  const tree = await openCommitTree(location, signal).catch((error: unknown) => closeAndThrow(base, error))
  return {
    overlay: Overlay.restore(tree, checkpoint.overlay, {
      reserved: listReservedPaths(checkpoint.contexts, tree.paths),
    }),
    gitDirectory,
    subdirectory,
    close: async () => {
      tree.close()
      await base.close()
    },
  }
}

/** Opens a checkpoint with everything the agent's tools use. Close it when done. */
export async function openWorkspace(
  deps: Pick<AgentDeps, 'scratchFolder' | 'checks' | 'store' | 'contexts'>,
  place: JobPlace,
  checkpoint: JobCheckpoint,
  signal: AbortSignal,
): Promise<JobWorkspace> {
  const opened = await openJobOverlay(place, checkpoint, signal)
  const { overlay, gitDirectory, subdirectory } = opened
  const { baseCommit, headCommit } = checkpoint
  const contexts = openContextFiles(deps, checkpoint.contexts, overlay)
  const { agentPaths: allowed, allowedSecrets } = readSiteSettings(place.site.settings)
  const work = { jobId: place.job.id, gitDirectory, subdirectory, baseCommit, headCommit, overlay }
  return {
    ...opened,
    ...toToolAccess(work, {
      ...deps,
      allowed,
      allowedSecrets,
      mayDelete: () => isDeletionAllowed(deps, place.job.id),
    }),
    contexts,
    close: async () => {
      contexts.close()
      await opened.close()
    },
  }
}

/** Read anew, because an owner may decide while the job works. */
export async function isDeletionAllowed({ store }: Pick<AgentDeps, 'store'>, jobId: string): Promise<boolean> {
  return ((await getAgentJob(store.durable, jobId))?.deletionsAllowedBy ?? null) !== null
}

async function closeAndThrow(base: BaseRepository, error: unknown): Promise<never> {
  await base.close()
  throw error
}

import type { CodeHost } from '../../codehost/code-host.ts'
import { isLastingRefusal } from '../../codehost/forge/forge-error.ts'
import { AppError } from '../../contract/app-error.ts'
import { type CommitSummary, diffCommits, findMergeBase, listCommits } from '../../git/commits/diff-commits.ts'
import type { Automation } from '../../store/agent/automations.ts'
import { type ContextRepository, getContextRepository } from '../../store/sites/context-repositories.ts'
import type { Site } from '../../store/sites/sites.ts'
import { normalizeFolder } from '../../git/repository-path.ts'
import { findSiteHost } from '../jobs/job-source.ts'
import type { AutomationDeps } from './automation-deps.ts'

/** How a branch moved. */
export interface BranchChange {
  from: string | null
  to: string
  /** Newest first, at most 200; null if the two commits share no known history. */
  commits: CommitSummary[] | null
  /** Whether `commits` is complete. */
  isWhole: boolean
  /** Changed files; null if unknown. */
  paths: string[] | null
}

/** The branch that an automation watches: its site's, or a context repository's. */
export interface WatchedBranch {
  site: Site
  host: CodeHost
  /** Null for the site's own repository. */
  context: ContextRepository | null
}

const commitsMax = 200
const pathsMax = 1_000

/** @throws {AppError} `no_repository` if the site no longer takes pull requests, `not_found` for a removed context. */
export async function findWatchedBranch(
  deps: Pick<AutomationDeps, 'store' | 'openHost'>,
  { siteId, trigger }: Pick<Automation, 'siteId' | 'trigger'>,
): Promise<WatchedBranch> {
  const source = await findSiteHost(deps, siteId)
  if (source === null) {
    const message = 'The site of this automation is not built from a repository that takes pull requests. Connect one.'
    throw new AppError('no_repository', message)
  }
  if (trigger.type !== 'merge') return { ...source, context: null }
  const context = await getContextRepository(deps.store.durable, trigger.contextRepositoryId)
  if (context !== null) return { ...source, context }
  throw new AppError('not_found', 'The context repository of this automation was removed. Choose another trigger.')
}

/** The current tip of the branch. @throws {AppError} if the host cannot be asked. */
export async function findWatchedTip(
  { contexts }: Pick<AutomationDeps, 'contexts'>,
  { site, host, context }: WatchedBranch,
  signal: AbortSignal,
): Promise<string> {
  if (context !== null) return contexts.findTip(context, signal)
  return (await host.resolveBranch(site.source.ref, signal)).commit
}

/** The changes between two commits of the branch, below the configured subdirectory. */
export async function readBranchChange(
  { contexts }: Pick<AutomationDeps, 'contexts'>,
  branch: WatchedBranch,
  { from, to }: { from: string | null; to: string },
  signal: AbortSignal,
): Promise<BranchChange> {
  const unknown: BranchChange = { from, to, commits: null, isWhole: false, paths: null }
  if (from === null) return unknown
  const { context, host, site } = branch
  if (context !== null) {
    const opened = await contexts.openHistory(context, [from, to], signal).catch(ignoreLostHistory)
    return opened === null ? unknown : compare({ ...opened, from, to }, signal)
  }
  const base = await host.openBase(to, signal)
  try {
    const { gitDirectory } = base
    const { subdirectory } = site.source
    const isJoined = await base.joinHistory([from, to], signal).then(() => true, ignoreLostHistory)
    return isJoined === null ? unknown : await compare({ gitDirectory, subdirectory, from, to }, signal)
  } finally {
    await base.close()
  }
}

interface CompareInput {
  gitDirectory: string
  subdirectory: string
  from: string
  to: string
}

async function compare(input: CompareInput, signal: AbortSignal): Promise<BranchChange> {
  const { gitDirectory, from, to } = input
  const isRelated = (await findMergeBase({ gitDirectory, ours: from, theirs: to }, signal).catch(() => null)) !== null
  if (!isRelated) return { from, to, commits: null, isWhole: false, paths: null }
  const subdirectory = normalizeFolder(input.subdirectory)
  const commits = await listCommits({ gitDirectory, from, to, subdirectory, limit: commitsMax + 1 }, signal)
  const diff = await diffCommits({ gitDirectory, from, to, patchBytesMax: 0, filesMax: pathsMax }, signal)
  const paths = diff.files.map(({ path }) => path)
  const isBelow = (path: string) => subdirectory === '' || path.startsWith(`${subdirectory}/`)
  return {
    from,
    to,
    commits: commits.slice(0, commitsMax),
    isWhole: commits.length <= commitsMax,
    paths: paths.filter(isBelow),
  }
}

/** A force push may have deleted the old commit. */
function ignoreLostHistory(error: unknown): null {
  if (isLastingRefusal(error)) return null
  throw error
}

import type { CodeHost } from '../../codehost/code-host.ts'
import type { CommitSummary } from '../../git/commits/diff-commits.ts'
import { getAgentJob } from '../../store/agent/agent-jobs.ts'
import { listAutomationJobsOfSite } from '../../store/agent/automation-runs.ts'
import type { AutomationDeps } from './automation-deps.ts'

/** Most jobs to consider: commits of older ones were merged long ago, if at all. */
const jobsMax = 500

/** Most pull requests to look up at the host. */
const mergesMax = 10

/**
 * Leaves out commits that a site's automations wrote themselves. Otherwise, merging an automation's change would
 * trigger the automation again, forever.
 *
 * Commits of jobs have a trailer that names the job and survives squashing; if it was edited away, the host says which
 * commit was the merge. Adding the trailer by hand only keeps automations from running for that commit.
 *
 * @returns No merge commits, because the merged commits are listed.
 */
export async function excludeOwnCommits(
  { store }: Pick<AutomationDeps, 'store'>,
  { siteId, host, commits }: { siteId: string; host: CodeHost; commits: readonly CommitSummary[] },
  signal: AbortSignal,
): Promise<CommitSummary[]> {
  const jobIds = await listAutomationJobsOfSite(store.durable, siteId, jobsMax)
  const known = new Set(jobIds)
  const others = commits.filter(({ parents, message }) => parents.length < 2 && !namesJob(message, known))
  if (others.length === 0 || jobIds.length === 0) return others
  const merges = new Set<string>()
  for (const id of jobIds.slice(0, mergesMax)) {
    const pullRequest = (await getAgentJob(store.durable, id))?.pullRequest
    // A closed pull request merged nothing.
    if (!pullRequest || pullRequest.state === 'closed') continue
    const { mergeCommit } = await host.readPullRequest(pullRequest.id, signal)
    if (mergeCommit !== null) merges.add(mergeCommit)
  }
  return others.filter(({ id }) => !merges.has(id))
}

function namesJob(message: string, jobIds: ReadonlySet<string>): boolean {
  return [...message.matchAll(/^\s*Docent-Job: (\S+)\s*$/gm)].some(([, id = '']) => jobIds.has(id))
}

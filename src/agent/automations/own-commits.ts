import type { CodeHost } from '../../codehost/code-host.ts'
import type { CommitSummary } from '../../git/diff-commits.ts'
import { getAgentJob } from '../../store/agent-jobs.ts'
import { listAutomationJobsOfSite } from '../../store/automation-runs.ts'
import type { AutomationDeps } from './automation-deps.ts'

/** Jobs of automations that are looked at: what they wrote was merged lately, if at all. */
const jobsMax = 500

/** Pull requests whose merge is asked for at the host. */
const mergesMax = 10

/**
 * The commits that automations of a site have not written themselves. Without this, the merge of what an automation did
 * would start it again, for ever.
 *
 * Commits of jobs carry a line that names the job, which also stays in the message when a host squashes them; where that
 * was edited away, the host says which commit was the merge. Somebody who writes such a line by hand keeps automations from
 * running for that commit, and nothing else.
 *
 * @returns Merges are left out, because what they bring is listed.
 */
export async function leaveOutOwnCommits(
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
    // One that was closed brought nothing.
    if (!pullRequest || pullRequest.state === 'closed') continue
    const { mergeCommit } = await host.readPullRequest(pullRequest.id, signal)
    if (mergeCommit !== null) merges.add(mergeCommit)
  }
  return others.filter(({ id }) => !merges.has(id))
}

function namesJob(message: string, jobIds: ReadonlySet<string>): boolean {
  return [...message.matchAll(/^\s*Docent-Job: (\S+)\s*$/gm)].some(([, id = '']) => jobIds.has(id))
}

import type { CodeHost, OpenPullRequestInput } from '../../codehost/code-host.ts'
import { isLastingRefusal } from '../../codehost/forge/forge-error.ts'
import { diffCommits } from '../../git/commits/diff-commits.ts'
import { queueComparison } from '../../store/comparisons/comparisons.ts'
import { type AgentJob, type AgentJobPullRequest, getAgentJob } from '../../store/agent/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { toJobPullRequest } from '../jobs/refresh-pull-request.ts'
import type { JobRound } from '../rounds/job-round.ts'
import type { RoundCommit } from './commit-round.ts'
import { describeWork } from './describe-work.ts'
import { writeBody, writeChecks, writeTitle } from './pull-request-text.ts'

/** Opens a pull request for a pushed round, or updates the open one of its branch. */
export async function openPullRequest(
  { store, clock, ids }: Pick<AgentDeps, 'store' | 'clock' | 'ids'>,
  { round, host, pushed, conflicts }: { round: JobRound; host: CodeHost; pushed: RoundCommit; conflicts: string[] },
  signal: AbortSignal,
): Promise<AgentJobPullRequest> {
  const { checkpoint, job } = round
  const { files } = pushed
  const { stop, template, tools } = checkpoint
  const { problems } = tools
  const { branch } = job
  // Read again, because an owner may decide while the job works.
  const { deletionsAllowedBy = null } = (await getAgentJob(store.durable, job.id)) ?? {}
  const before = await host.findPullRequest({ branch }, signal)
  const work = describeWork(round)
  const body = {
    jobId: job.id,
    model: job.model,
    prompt: job.prompt,
    work,
    files,
    problems,
    conflicts,
    deletionsAllowedBy,
    stop,
    template,
  }
  const input: OpenPullRequestInput = {
    branch,
    base: job.ref,
    // People know the open pull request by its title.
    title: before?.state === 'open' ? before.title : writeTitle(work.title),
    body: writeBody(body),
    isDraft: job.isDraft || stop !== null || problems.some(({ severity }) => severity === 'block'),
    jobId: job.id,
    checks: writeChecks(problems),
  }
  const opened = await host.openPullRequest(input, signal)
  // The host may send no webhooks.
  const { id: pullRequestId, head } = opened
  const queued = { pullRequestId, siteId: job.siteId, headCommit: head.commit, now: clock.now() }
  await queueComparison(store.durable, { ...queued, id: ids.prefixed('comparison') })
  return toJobPullRequest(opened)
}

/** Closes a new pull request whose job was cancelled while it was being opened. */
export async function closeIfCancelled(
  { store }: Pick<AgentDeps, 'store'>,
  { job, host, opened }: { job: AgentJob; host: CodeHost; opened: AgentJobPullRequest },
  signal: AbortSignal,
): Promise<void> {
  const now = await getAgentJob(store.durable, job.id)
  const isUnwanted = now?.failure?.code === 'cancelled' && job.pullRequest === null
  if (isUnwanted) await host.closePullRequest(opened.id, signal)
}

/** The pull request of this commit, if it was merged before the job could end, for instance after a crash. */
export async function findMerged(
  host: CodeHost,
  { branch, commit }: { branch: string; commit: string },
  signal: AbortSignal,
): Promise<AgentJobPullRequest | null> {
  const found = await host.findPullRequest({ branch }, signal)
  if (found?.state !== 'merged') return null
  const theirs = found.head.commit
  const isSame = theirs === commit || (await isSameTree(host, { theirs, commit }, signal))
  return isSame ? toJobPullRequest(found) : null
}

/** Hosts that sign commits re-create them under other ids. */
async function isSameTree(
  host: CodeHost,
  { theirs, commit }: { theirs: string; commit: string },
  signal: AbortSignal,
): Promise<boolean> {
  const base = await host.openBase(theirs, signal).catch((error: unknown) => {
    // The branch and its commits were deleted.
    if (isLastingRefusal(error)) return null
    throw error
  })
  if (base === null) return false
  try {
    const diff = { gitDirectory: base.gitDirectory, from: theirs, to: commit, patchBytesMax: 0, filesMax: 0 }
    return (await diffCommits(diff, signal)).filesTotal === 0
  } finally {
    await base.close()
  }
}

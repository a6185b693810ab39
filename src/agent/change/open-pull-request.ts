import type { CodeHost } from '../../codehost/code-host.ts'
import { isLastingRefusal } from '../../codehost/forge/forge-error.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import { diffCommits } from '../../git/diff-commits.ts'
import { type AgentJob, type AgentJobPullRequest, getAgentJob } from '../../store/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { toJobPullRequest } from '../jobs/refresh-pull-request.ts'
import { type JobRound, noteRound, type RoundDeps } from '../rounds/job-round.ts'
import { LeaseLostError } from '../rounds/lease-lost-error.ts'
import type { RoundCommit } from './commit-round.ts'
import { describeWork } from './describe-work.ts'
import { writeBody, writeChecks, writeTitle } from './pull-request-text.ts'

/**
 * Opens a pull request for a pushed round, or updates the open one of its branch, and records it.
 *
 * @throws {LeaseLostError}
 */
export async function openPullRequest(
  deps: RoundDeps,
  { round, host, pushed }: { round: JobRound; host: CodeHost; pushed: RoundCommit },
  signal: AbortSignal,
): Promise<AgentJobPullRequest> {
  const { checkpoint, job } = round
  const { files, conflicts } = pushed
  const { problems } = checkpoint.tools
  const before = await host.findPullRequest({ branch: job.branch }, signal)
  const open = before?.state === 'open' ? before : null
  const isDraft = job.isDraft || checkpoint.stop !== null || problems.some(({ severity }) => severity === 'block')
  const work = describeWork(round)
  const { stop, template } = checkpoint
  const body = { jobId: job.id, model: job.model, prompt: job.prompt, work, files, problems, conflicts, stop, template }
  const opened = toJobPullRequest(
    await host.openPullRequest(
      {
        branch: job.branch,
        base: job.ref,
        // People know the open pull request by its title.
        title: open?.title ?? writeTitle(work.title),
        body: writeBody(body),
        isDraft,
        jobId: job.id,
        checks: writeChecks(problems),
      },
      signal,
    ),
  )
  const event: AgentJobEvent = { type: 'pull-request-opened', url: opened.url, draft: opened.isDraft }
  const events = job.pullRequest?.id === opened.id ? [] : [event]
  await noteRound(deps, round, { pullRequest: opened, events }).catch(async (error: unknown) => {
    if (error instanceof LeaseLostError) await closeIfCancelled(deps, { job, host, opened }, signal)
    throw error
  })
  return opened
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

/** The pull request of this commit, if somebody merged it before the job could end, as after a crash. */
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

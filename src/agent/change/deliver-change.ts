import type { CodeHost, PullRequest } from '../../codehost/code-host.ts'
import { ForgeError } from '../../codehost/forge/forge-error.ts'
import { AppError } from '../../contract/app-error.ts'
import type { AgentJobChange, AgentFailureCode } from '../../contract/agent-job.ts'
import type { AgentJobEvent } from '../../contract/agent-job-event.ts'
import { diffCommits, type FileDiff } from '../../git/diff-commits.ts'
import { type AgentJobPullRequest, getAgentJob } from '../../store/agent-jobs.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { commitRound, type RoundCommit } from './commit-round.ts'
import { describeWork } from './describe-work.ts'
import type { JobRound } from '../rounds/job-round.ts'
import { LeaseLostError } from '../rounds/lease-lost-error.ts'
import { pushRound } from './push-round.ts'
import { writeBody, writeChecks, writeTitle } from './pull-request-text.ts'
import type { RoundWork } from '../rounds/work-on-round.ts'

/**
 * Turns what a round did into a pull request and ends the round. Nothing changed is a normal end without one.
 *
 * @returns `unread` when the user has written something meanwhile, so that the work goes on.
 * @throws {LeaseLostError}
 */
export async function deliverChange(
  deps: AgentDeps,
  work: RoundWork,
  signal: AbortSignal,
): Promise<{ outcome: 'finished' | 'unread'; delivered: string | null }> {
  const { round, place, workspace } = work
  if (workspace.overlay.changes().length === 0) return { outcome: await endRound(round, null), delivered: null }
  const made = await commitRound(deps, work, signal)
  if (made === null) return { outcome: await endRound(round, null), delivered: null }
  const merged = await findMerged(place.host, place.job.branch, made.commit, signal)
  const pushed = merged === null ? await pushRound(round, place.host, workspace, made, signal) : made
  const pullRequest = merged ?? (await openPullRequest(deps, work, pushed, signal))
  const changes = pushed.files.map(toChange)
  try {
    return { outcome: await endRound(round, { pullRequest, changes }), delivered: pushed.commit }
  } catch (error) {
    if (error instanceof LeaseLostError) await closeIfCancelled(deps, round, place.host, pullRequest, signal)
    throw error
  }
}

/** The pull request of this very commit that was merged already, by somebody who was quicker than the end of a crash. */
async function findMerged(
  host: CodeHost,
  branch: string,
  commit: string,
  signal: AbortSignal,
): Promise<AgentJobPullRequest | null> {
  const found = await host.findPullRequest({ branch }, signal)
  if (found?.state !== 'merged') return null
  const isSame = found.head.commit === commit || (await isSameTree(host, { theirs: found.head.commit, commit }, signal))
  return isSame ? toJobPullRequest(found) : null
}

/** A host that signs its commits has made its own of the change, which has another id. */
async function isSameTree(
  host: CodeHost,
  { theirs, commit }: { theirs: string; commit: string },
  signal: AbortSignal,
): Promise<boolean> {
  const base = await host.openBase(theirs, signal).catch((error: unknown) => {
    // The branch is gone, and what it named with it.
    if (error instanceof AppError && !(error instanceof ForgeError && error.isPassing)) return null
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

async function openPullRequest(
  { store, clock }: AgentDeps,
  { round, place }: RoundWork,
  { files, conflicts }: RoundCommit,
  signal: AbortSignal,
): Promise<AgentJobPullRequest> {
  const { job, host } = place
  const { checkpoint } = round
  const { problems } = checkpoint.tools
  const before = await host.findPullRequest({ branch: job.branch }, signal)
  const open = before?.state === 'open' ? before : null
  const isDraft = job.isDraft || checkpoint.stop !== null || problems.some(({ severity }) => severity === 'block')
  const finished = describeWork(round)
  const text = { jobId: job.id, model: job.model, prompt: job.prompt, work: finished, files, problems, conflicts }
  const pullRequest = await host.openPullRequest(
    {
      branch: job.branch,
      base: job.ref,
      // A pull request that people know by its title keeps it.
      title: open?.title ?? writeTitle(finished.title),
      body: writeBody({ ...text, stop: checkpoint.stop, template: checkpoint.template }),
      isDraft,
      jobId: job.id,
      checks: writeChecks(problems),
    },
    signal,
  )
  const found = toJobPullRequest(pullRequest)
  const event: AgentJobEvent = { type: 'pull-request-opened', url: found.url, draft: found.isDraft }
  const isKnown = job.pullRequest?.id === found.id
  const note = { pullRequest: found, events: isKnown ? [] : [event] }
  await round.note(note).catch(async (error: unknown) => {
    if (error instanceof LeaseLostError) await closeIfCancelled({ store, clock }, round, host, found, signal)
    throw error
  })
  return found
}

/** Somebody cancelled the job while its pull request was being opened: nobody knows of it, and nobody wants it. */
async function closeIfCancelled(
  { store }: Pick<AgentDeps, 'store' | 'clock'>,
  { job }: JobRound,
  host: CodeHost,
  opened: AgentJobPullRequest,
  signal: AbortSignal,
): Promise<void> {
  const now = await getAgentJob(store.durable, job.id)
  const isUnwanted = now?.failure?.code === 'cancelled' && job.pullRequest === null
  if (isUnwanted) await host.closePullRequest(opened.id, signal)
}

async function endRound(
  round: JobRound,
  delivered: { pullRequest: AgentJobPullRequest; changes: AgentJobChange[] } | null,
): Promise<'finished' | 'unread'> {
  const { checkpoint, job } = round
  const { stop } = checkpoint
  const failure = stop && { code: stop.code satisfies AgentFailureCode, message: stop.message }
  const pullRequest = delivered?.pullRequest ?? job.pullRequest
  const prLink = pullRequest?.url ?? null
  const { title, summary } = describeWork(round)
  const event: AgentJobEvent =
    failure === null ? { type: 'job-completed', summary, prLink } : { type: 'job-failed', ...failure, prLink }
  return round.finish({
    failure,
    title: checkpoint.tools.finished === null && delivered === null ? null : writeTitle(title),
    summary: checkpoint.tools.finished === null && delivered === null ? null : summary,
    changes: delivered?.changes ?? job.changes,
    pullRequest,
    events: [event],
  })
}

function toJobPullRequest({ id, url, state, isDraft }: PullRequest): AgentJobPullRequest {
  return { id, url, state, isDraft }
}

function toChange({ path, kind, additions, deletions }: FileDiff): AgentJobChange {
  return { path, kind, additions, deletions }
}

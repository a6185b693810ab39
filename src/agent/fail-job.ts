import { hourMs } from '../base/durations.ts'
import { ForgeError } from '../codehost/forge/forge-error.ts'
import type { AgentFailureCode } from '../contract/agent-job.ts'
import { AppError } from '../contract/app-error.ts'
import { isDiskFull } from '../store/database-error.ts'
import { finishAgentJob } from '../store/agent/agent-job-steps.ts'
import type { AgentJob } from '../store/agent/agent-jobs.ts'
import type { AgentDeps } from './agent-deps.ts'
import { ModelAwayError } from './rounds/model-away-error.ts'
import { BranchConflictError, ForbiddenChangeError } from './change/push-round.ts'

/** Attempts at a job that fails for unforeseen reasons, with growing pauses. */
const attemptsMax = 6
const pauseMs = 2_000
/** Each attempt may call the model again. */
const fullDiskPauseMsMax = 5 * 60_000

/**
 * Ends a job that failed: immediately if its owner can fix the reason, otherwise after several attempts.
 *
 * @returns When to try again, in UTC milliseconds; null if the job has ended.
 */
export async function failJob(
  { store, clock }: Pick<AgentDeps, 'store' | 'clock'>,
  job: AgentJob,
  error: unknown,
): Promise<number | null> {
  const now = clock.now()
  if (error instanceof ModelAwayError) return now + error.retryAfterMs
  // A full disk is not the job's fault, so the job waits for space.
  if (isDiskFull(error)) return now + Math.min(pauseMs * 2 ** job.attempt, fullDiskPauseMsMax)
  // An unreachable database is temporary and not the job's fault.
  const isRefusal = error instanceof AppError && error.code !== 'database_unavailable'
  const isPassing = !isRefusal || (error instanceof ForgeError && error.isPassing)
  if (isPassing && job.attempt < attemptsMax) return now + Math.max(pauseMs * 2 ** job.attempt, readWait(error))
  const message = isRefusal
    ? error.message
    : 'Something went wrong on our side several times. Send a message to try again; see the server log for details.'
  const code = isRefusal ? chooseCode(error) : 'internal_error'
  const { title, summary, changes, pullRequest } = job
  const prLink = pullRequest?.url ?? null
  await finishAgentJob(store.durable, job, {
    failure: { code, message },
    title,
    summary,
    changes,
    pullRequest,
    events: [{ type: 'job-failed', code, message, prLink }],
    now,
  })
  return null
}

/** Longest wait that a code host may ask for; rate limits reset every hour. */
const waitMsMax = hourMs

function readWait(error: unknown): number {
  return error instanceof ForgeError ? Math.min(error.retryAfterMs ?? 0, waitMsMax) : 0
}

function chooseCode(error: AppError): AgentFailureCode {
  if (error instanceof BranchConflictError) return 'branch_conflict'
  if (error instanceof ForbiddenChangeError) return 'change_refused'
  return error.code === 'no_repository' || error.code === 'invalid_request' ? 'base_unavailable' : 'host_failed'
}

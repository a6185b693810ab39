import type { BilledModel } from '../../models/calls/model-account.ts'
import { ModelCallError } from '../../models/calls/model-call-error.ts'
import { isPassingFault } from '../../models/calls/retry-delay.ts'
import { describeModelFailure, ModelFailureError } from '../../models/loop/model-failure-error.ts'
import type { AgentDeps } from '../agent-deps.ts'
import { writeInstructions } from './instructions.ts'
import { timeReached } from './job-budget.ts'
import { JobAccount } from './job-account.ts'
import { type JobRound, noteRound, stopRound } from './job-round.ts'
import type { JobPlace, JobWorkspace } from './job-workspace.ts'
import { ModelAwayError } from './model-away-error.ts'
import { runSteps, type StepDeps } from './run-steps.ts'

type WorkDeps = StepDeps & Pick<AgentDeps, 'models' | 'sites'>

/** A round in progress, as the stages of its pipeline hand it on. */
export interface RoundWork {
  round: JobRound
  place: JobPlace
  workspace: JobWorkspace
}

/**
 * Lets the model work until it finishes, exhausts a budget or fails, and records each step.
 *
 * @returns The round after its last step.
 * @throws {LeaseLostError}
 * @throws {ModelAwayError} when the model failed in passing and the round is to be continued later.
 */
export async function workOnRound(deps: WorkDeps, work: RoundWork, signal: AbortSignal): Promise<JobRound> {
  const { clock, budgets } = deps
  let { round } = work
  const { job, checkpoint } = round
  const account = new JobAccount(deps, job.projectId, checkpoint)
  const found = await findModel(deps, round)
  const site = await deps.sites.find(work.place.site.slug).catch(() => null)
  const time = new AbortController()
  const timer = setTimeout(() => time.abort(), Math.max(1, budgets.activeMs - checkpoint.activeMs))
  const startedAt = clock.now()
  const input = {
    round,
    workspace: work.workspace,
    site,
    model: found.billTo(account),
    contextTokens: found.contextTokens,
    instructions: writeInstructions(checkpoint.conventions, work.workspace.contexts.pins),
    onRecorded: (next: JobRound) => void (round = next),
  }
  try {
    return await runSteps(deps, input, AbortSignal.any([signal, time.signal]))
  } catch (error) {
    signal.throwIfAborted()
    const use = { durationMs: clock.now() - startedAt - (round.checkpoint.activeMs - checkpoint.activeMs) }
    if (time.signal.aborted) return await stopRound(deps, round, { stop: timeReached(budgets), use })
    if (!(error instanceof ModelFailureError)) throw error
    if (faultOf(error) === 'ceiling') return await stopRound(deps, round, { stop: account.refusal, use })
    return await stopOrWait(deps, round, error)
  } finally {
    clearTimeout(timer)
  }
}

function faultOf({ cause }: ModelFailureError) {
  return cause instanceof ModelCallError ? cause.fault : null
}

/** Pauses before the model is tried again, by the number of claims that got no further. */
const pausesMs = [60_000, 180_000, 600_000]

async function stopOrWait(deps: WorkDeps, round: JobRound, error: ModelFailureError): Promise<JobRound> {
  const { budgets, clock, log } = deps
  const { job, checkpoint } = round
  const fault = faultOf(error)
  const pauseMs = pausesMs[job.attempt - checkpoint.attempt]
  log.warn({ error, jobId: job.id }, 'job-model-failed')
  if (fault === null || !isPassingFault(fault) || !budgets.waitsForModel || pauseMs === undefined) {
    const message = `${describeModelFailure(error.cause)} The work so far is kept: send a message to continue.`
    return stopRound(deps, round, { stop: { code: 'model_failed', message } })
  }
  const until = new Date(clock.now() + pauseMs).toISOString()
  await noteRound(deps, round, { events: [{ type: 'job-waiting', message: describeModelFailure(error.cause), until }] })
  throw new ModelAwayError(error, pauseMs)
}

/** The job's model, or the current default if the settings no longer have it. */
async function findModel(deps: WorkDeps, round: JobRound): Promise<BilledModel> {
  const current = await deps.models()
  const model = current.find(round.job.model)
  if (model !== null) return model
  const chosen = current.find(current.defaultId)
  if (chosen === null) throw new Error(`The model ${current.defaultId} is configured but not available.`)
  await noteRound(deps, round, { model: current.defaultId, events: [] })
  return chosen
}

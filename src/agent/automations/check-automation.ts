import { findNextCronTime } from '../../base/cron-times.ts'
import { AppError } from '../../contract/app-error.ts'
import {
  type Automation,
  type AutomationLook,
  listPostponedAutomations,
  recordAutomationCheck,
} from '../../store/agent/automations.ts'
import type { AutomationDeps } from './automation-deps.ts'
import { findWatchedBranch, findWatchedTip } from './branch-change.ts'

type LookDeps = Pick<AutomationDeps, 'store' | 'clock' | 'ids' | 'log' | 'openHost' | 'contexts' | 'pollIntervalMs'>

/**
 * Checks whether a due automation should run, and queues the run: one for all missed times of a schedule, and one for
 * each new tip of a branch.
 *
 * @returns Whether this check queued a run.
 */
export async function checkAutomation(deps: LookDeps, automation: Automation, signal: AbortSignal): Promise<boolean> {
  const look = await findLook(deps, automation, signal)
  if (look.failure !== null) {
    deps.log.warn({ automationId: automation.id, failure: look.failure }, 'automation-look-failed')
  }
  return (await recordAutomationCheck(deps.store.durable, automation, look)) && look.run !== null
}

/** Reschedules what a clock that ran ahead has put off, after the clock was set back. */
export async function correctDueTimes({ store, clock, pollIntervalMs }: LookDeps): Promise<void> {
  const now = clock.now()
  for (const automation of await listPostponedAutomations(store.durable, now)) {
    const { trigger, dueAt, failure } = automation
    const latest = trigger.type === 'schedule' ? await findNextCronTime(trigger, now) : now + (pollIntervalMs ?? 0)
    if (dueAt === null || latest === null || dueAt <= latest) continue
    await recordAutomationCheck(store.durable, automation, { dueAt: latest, failure, run: null, now })
  }
}

async function findLook(deps: LookDeps, automation: Automation, signal: AbortSignal): Promise<AutomationLook> {
  const { clock, ids } = deps
  const { trigger, dueAt, revision, version } = automation
  const now = clock.now()
  const nothing: AutomationLook = { dueAt: null, failure: null, run: null, now }
  if (trigger.type === 'manual') return nothing
  if (trigger.type === 'schedule') {
    const occurrence = `schedule:${new Date(dueAt ?? now).toISOString()}`
    const run = { id: ids.prefixed('arun'), occurrence, cause: trigger.type, from: null, to: null }
    return { ...nothing, dueAt: await findNextCronTime(trigger, now), run }
  }
  const next = { ...nothing, dueAt: deps.pollIntervalMs === null ? null : now + deps.pollIntervalMs }
  try {
    const tip = await findWatchedTip(deps, await findWatchedBranch(deps, automation), signal)
    // The earlier tip is unknown.
    if (revision === null) return { ...next, revision: tip, coveredRevision: tip }
    if (tip === revision) return next
    // A branch may return to an earlier commit; the version distinguishes the occurrences.
    const occurrence = `${trigger.type}:${version}:${tip}`
    const run = { id: ids.prefixed('arun'), occurrence, cause: trigger.type, from: revision, to: tip }
    return { ...next, revision: tip, run }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof AppError)) throw error
    return { ...next, failure: error.message }
  }
}

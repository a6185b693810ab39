import { findCronFault, findNextCronTime } from '../../base/cron-times.ts'
import type { AutomationCreate, AutomationTriggerInput, AutomationUpdate } from '../../contract/automations.ts'
import { AppError } from '../../contract/app-error.ts'
import {
  type Automation,
  type AutomationTrigger,
  getAutomation,
  insertAutomation,
  updateAutomation,
} from '../../store/agent/automations.ts'
import { type AutomationRun, getAutomationRun, insertAutomationRun } from '../../store/agent/automation-runs.ts'
import { listContextRepositories } from '../../store/sites/context-repositories.ts'
import type { Site } from '../../store/sites/sites.ts'
import type { AutomationDeps } from './automation-deps.ts'
import { findWatchedBranch, findWatchedTip } from './branch-change.ts'
import { checkPrompt } from './render-prompt.ts'
import { nameCommand } from '../../config/name-command.ts'

type ManageDeps = Pick<AutomationDeps, 'store' | 'clock' | 'ids' | 'openHost' | 'contexts'>

/**
 * Creates an automation. A branch trigger records the current tip, so that existing commits trigger nothing.
 *
 * @throws {AppError} `invalid_request` for an invalid prompt, schedule or context repository, `no_repository`, and
 *   what the host of the branch throws.
 */
export async function createAutomation(
  deps: ManageDeps,
  { site, input }: { site: Site; input: AutomationCreate },
  signal: AbortSignal,
): Promise<Automation> {
  const { clock, ids } = deps
  const trigger = await readTrigger(deps, site.id, input.trigger)
  checkPrompt(input.prompt, trigger)
  const now = clock.now()
  const { name, prompt, enabled, openPullRequestsMax, runsPerDayMax } = input
  const automation: Automation = {
    id: ids.prefixed('automation'),
    siteId: site.id,
    name,
    prompt,
    trigger,
    isEnabled: enabled,
    openMax: openPullRequestsMax,
    dailyMax: runsPerDayMax,
    version: 0,
    started: 0,
    ...(await beginTrigger(deps, { siteId: site.id, trigger }, signal)),
    failure: null,
    createdAt: now,
    updatedAt: now,
  }
  await insertAutomation(deps.store.durable, automation)
  return automation
}

/** Changes the given fields. A new or re-enabled trigger starts from the current state of its branch. */
export async function changeAutomation(
  deps: ManageDeps,
  before: Automation,
  update: AutomationUpdate,
  signal: AbortSignal,
): Promise<Automation> {
  const { siteId } = before
  const trigger = update.trigger === undefined ? before.trigger : await readTrigger(deps, siteId, update.trigger)
  const prompt = update.prompt ?? before.prompt
  checkPrompt(prompt, trigger)
  const isEnabled = update.enabled ?? before.isEnabled
  const beginsAnew = update.trigger !== undefined || (isEnabled && !before.isEnabled)
  const begun = beginsAnew ? await beginTrigger(deps, { siteId, trigger }, signal) : {}
  const change = {
    name: update.name ?? before.name,
    isEnabled,
    prompt,
    trigger,
    openMax: update.openPullRequestsMax ?? before.openMax,
    dailyMax: update.runsPerDayMax ?? before.dailyMax,
    revision: before.revision,
    coveredRevision: before.coveredRevision,
    dueAt: before.dueAt,
    failure: beginsAnew ? null : before.failure,
    ...begun,
    updatedAt: deps.clock.now(),
  }
  await updateAutomation(deps.store.durable, before.id, change)
  return (await getAutomation(deps.store.durable, before.id)) ?? { ...before, ...change }
}

/**
 * Queues a manual run.
 *
 * @param key Chosen by the client; the same key is the same run.
 */
export async function requestAutomationRun(
  { store, clock, ids }: Pick<ManageDeps, 'store' | 'clock' | 'ids'>,
  { automationId, key }: { automationId: string; key: string | null },
): Promise<AutomationRun> {
  const id = ids.prefixed('arun')
  const occurrence = `manual:${key ?? id}`
  const run = { id, automationId, occurrence, cause: 'manual' as const, from: null, to: null }
  await insertAutomationRun(store.durable, { ...run, now: clock.now() })
  const queued = await getAutomationRun(store.durable, { automationId, occurrence })
  if (queued !== null) return queued
  throw new AppError('not_found', 'The automation was removed.')
}

/** When the trigger is first due, and the current tip of its branch. */
async function beginTrigger(
  deps: Pick<ManageDeps, 'store' | 'clock' | 'openHost' | 'contexts'>,
  { siteId, trigger }: { siteId: string; trigger: AutomationTrigger },
  signal: AbortSignal,
): Promise<Pick<Automation, 'dueAt' | 'revision' | 'coveredRevision'>> {
  const now = deps.clock.now()
  const branch = await findWatchedBranch(deps, { siteId, trigger })
  if (trigger.type === 'manual') return { dueAt: null, revision: null, coveredRevision: null }
  if (trigger.type === 'schedule') {
    return { dueAt: await findNextCronTime(trigger, now), revision: null, coveredRevision: null }
  }
  const tip = await findWatchedTip(deps, branch, signal)
  return { dueAt: now, revision: tip, coveredRevision: tip }
}

async function readTrigger(
  { store, clock }: Pick<ManageDeps, 'store' | 'clock'>,
  siteId: string,
  input: AutomationTriggerInput,
): Promise<AutomationTrigger> {
  if (input.type === 'schedule') {
    const { cron, timeZone } = input
    const message = await findCronFault({ cron, timeZone }, clock.now())
    if (message === null) return { type: 'schedule', cron, timeZone }
    throw new AppError('invalid_request', `The schedule ${message}.`, { details: [{ path: 'trigger', message }] })
  }
  if (input.type !== 'merge') return { type: input.type }
  const contexts = await listContextRepositories(store.durable, { siteId })
  const found = contexts.find(({ id, name }) => name === input.repository || id === input.repository)
  if (found !== undefined) return { type: 'merge', contextRepositoryId: found.id }
  const message = `is not a context repository of the site. Add it first: ${nameCommand('site context add')}`
  throw new AppError('invalid_request', `"${input.repository}" ${message}.`, {
    details: [{ path: 'trigger.repository', message }],
  })
}

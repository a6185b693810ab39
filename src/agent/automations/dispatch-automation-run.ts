import { agentJobCreateSchema, type AgentJobContext, promptCharsMax } from '../../contract/agent-job.ts'
import { type AgentJob, getAgentJob } from '../../store/agent/agent-jobs.ts'
import {
  type AutomationRun,
  type AutomationStart,
  countStartedRuns,
  listJobsOfAutomation,
} from '../../store/agent/automation-runs.ts'
import { type Automation, getAutomation } from '../../store/agent/automations.ts'
import { dayMs } from '../../base/durations.ts'
import { createJob } from '../jobs/create-job.ts'
import { followUpJob } from '../jobs/follow-up-job.ts'
import { refreshJob } from '../jobs/refresh-pull-request.ts'
import type { AutomationDeps } from './automation-deps.ts'
import {
  type BranchChange,
  findWatchedBranch,
  findWatchedTip,
  readBranchChange,
  type WatchedBranch,
} from './branch-change.ts'
import { excludeOwnCommits } from './own-commits.ts'
import { renderPrompt } from './render-prompt.ts'

type RunDeps = Omit<AutomationDeps, 'log' | 'pollIntervalMs'>

/** `started`: the run is recorded in the same transaction as its job. */
export type AutomationOutcome = { state: 'started' } | { state: 'skipped'; outcome: string }

/** Most jobs to consider; older ones ended long ago. */
const jobsMax = 20

/**
 * Turns a run into a job, or into a message to the job whose pull request is open, if there is anything to do. Repeating
 * it after a crash does nothing twice, because the run ends in the transaction that writes the job.
 *
 * @throws {AutomationMovedError} if another run of the automation came first: try again; {AppError} from hosts and
 *   limits.
 */
export async function dispatchAutomationRun(
  deps: RunDeps,
  run: AutomationRun,
  signal: AbortSignal,
): Promise<AutomationOutcome> {
  const automation = await getAutomation(deps.store.durable, run.automationId)
  if (automation === null) return skip('The automation was removed.')
  if (!automation.isEnabled && run.cause !== 'manual') return skip('The automation is switched off.')
  const { dailyMax } = automation
  const today = Math.floor(deps.clock.now() / dayMs) * dayMs
  if ((await countStartedRuns(deps.store.durable, automation.id, today)) >= dailyMax) {
    return skip(`The automation has run ${dailyMax} times today, which is its limit. The next run covers the rest.`)
  }
  const branch = await findWatchedBranch(deps, automation)
  const change = await findChange(deps, { automation, branch, run }, signal)
  if (typeof change === 'string') return skip(change)
  const jobs = await readJobs(deps, automation.id, signal)
  return start(deps, { automation, branch, change, run, jobs }, signal)
}

function skip(outcome: string): AutomationOutcome {
  return { state: 'skipped', outcome }
}

interface FindChangeInput {
  automation: Automation
  branch: WatchedBranch
  run: AutomationRun
}

/** @returns A sentence if there is nothing to do; null for an automation that watches no branch. */
async function findChange(
  deps: Pick<RunDeps, 'store' | 'contexts'>,
  { automation, branch, run }: FindChangeInput,
  signal: AbortSignal,
): Promise<BranchChange | string | null> {
  const { trigger, coveredRevision, siteId } = automation
  if (trigger.type !== 'push' && trigger.type !== 'merge') return null
  const to = run.to ?? (await findWatchedTip(deps, branch, signal))
  const change = await readBranchChange(deps, branch, { from: coveredRevision ?? run.from, to }, signal)
  if (change.commits === null) return change
  const { host } = branch
  const commits = await excludeOwnCommits(deps, { siteId, host, commits: change.commits }, signal)
  // A manual run always does its work.
  if (commits.length > 0 || !change.isWhole || run.cause === 'manual') return { ...change, commits }
  return change.commits.length === 0
    ? 'Nothing has changed there since the last run.'
    : 'All changes since the last run were made by automations.'
}

/** The jobs of an automation, newest first, with open pull requests updated from the host. */
async function readJobs(
  deps: Pick<AutomationDeps, 'store' | 'clock' | 'openHost'>,
  automationId: string,
  signal: AbortSignal,
): Promise<AgentJob[]> {
  const jobs: AgentJob[] = []
  for (const id of await listJobsOfAutomation(deps.store.durable, automationId, jobsMax)) {
    const job = await getAgentJob(deps.store.durable, id)
    if (job !== null) jobs.push(job.pullRequest?.state === 'open' ? await refreshJob(deps, job, signal) : job)
  }
  return jobs
}

interface StartInput extends FindChangeInput {
  change: BranchChange | null
  jobs: readonly AgentJob[]
}

async function start(deps: RunDeps, input: StartInput, signal: AbortSignal): Promise<AutomationOutcome> {
  const { automation, branch, change, run, jobs } = input
  const { site } = branch
  const prompt = await writePrompt(deps, input, signal)
  const count = deps.countJob(site.projectId)
  const begin = (outcome: string): AutomationStart => ({
    run,
    automationId: automation.id,
    started: automation.started,
    coveredRevision: change?.to ?? null,
    outcome,
  })
  const current = jobs.filter(({ status, pullRequest }) => status === 'active' || pullRequest?.state === 'open')
  if (current.length >= automation.openMax) {
    const job = current.find(({ archivedAt }) => archivedAt === null)
    if (job === undefined) {
      return skip('Its open pull requests belong to archived jobs, which take no more messages. Merge or close them.')
    }
    const automationStart = begin(`Sent a message to the job ${job.id}, whose pull request is open or in progress.`)
    await followUpJob(deps, { job, prompt, count, automation: automationStart }, signal)
    return { state: 'started' }
  }
  const request = agentJobCreateSchema.parse({ prompt, site: site.id, context: describeClosed(jobs) })
  const made = { projectId: site.projectId, request, idempotencyKey: null, count, automation: begin('A new job.') }
  await createJob(deps, made, signal)
  return { state: 'started' }
}

async function writePrompt(
  { clock }: Pick<AutomationDeps, 'clock'>,
  { automation, branch, change }: StartInput,
  signal: AbortSignal,
): Promise<string> {
  const { site, host, context } = branch
  const source = await host.readSource(signal)
  const values = {
    repository: context?.source.location ?? source.repository,
    // Only git knows the default branch of another repository.
    branch: context === null ? (site.source.ref ?? source.defaultBranch) : (context.source.ref ?? 'HEAD'),
    now: clock.now(),
    change,
  }
  return renderPrompt(automation.prompt, values).slice(0, promptCharsMax)
}

const summaryCharsMax = 2_000

/** The last pull request if people closed it, so that the model does not propose the same change again. */
function describeClosed([last]: readonly AgentJob[]): AgentJobContext[] {
  if (last?.pullRequest?.state !== 'closed') return []
  const told = {
    title: last.title,
    summary: last.summary?.slice(0, summaryCharsMax) ?? null,
    files: last.changes.slice(0, 50).map(({ path }) => path),
  }
  const value = `The last pull request of this automation was closed without being merged, so that its change is not wanted as it was. It was: ${JSON.stringify(told)}`
  return [{ type: 'textSelection', value }]
}

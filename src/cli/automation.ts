import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import type { AutomationResource, AutomationRunResource, AutomationTriggerInput } from '../contract/automations.ts'
import { withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'

export interface AutomationOptions {
  site: string
  name: string
  prompt: string
  onPush?: boolean
  onMerge?: string
  cron?: string
  timeZone: string
  openPullRequests?: number
  runsPerDay?: number
}

export async function addAutomation(output: Output, options: AutomationOptions): Promise<void> {
  const { site, name, prompt, openPullRequests, runsPerDay } = options
  const input = {
    site,
    name,
    prompt,
    trigger: readTrigger(options),
    ...(openPullRequests !== undefined && { openPullRequestsMax: openPullRequests }),
    ...(runsPerDay !== undefined && { runsPerDayMax: runsPerDay }),
  }
  const added = await withClient((client) => client.createAutomation({ body: input }))
  output.result(added, () => {
    const next = added.nextRunAt === null ? '' : ` The next run is at ${added.nextRunAt}.`
    return `Added ${added.id}.${next} To run it now: ${nameCommand(`automation run ${added.id}`)}`
  })
}

export async function listAutomations(output: Output): Promise<void> {
  const automations = await withClient((client) => listAll((cursor) => client.listAutomations({ query: { cursor } })))
  output.result(automations, () =>
    formatTable(
      ['ID', 'NAME', 'TRIGGER', 'NEXT RUN', 'STATE'],
      automations.map((each) => [each.id, each.name, describe(each), each.nextRunAt ?? '-', describeState(each)]),
    ),
  )
}

export async function runAutomation(output: Output, id: string): Promise<void> {
  const run = await withClient((client) => client.runAutomation({ params: { id } }))
  output.result(run, () => `The run is queued. To see its result: ${nameCommand(`automation runs ${id}`)}`)
}

/** `docent automation runs`: the latest page of runs. */
export async function listAutomationRuns(output: Output, id: string): Promise<void> {
  const { items } = await withClient((client) => client.listAutomationRuns({ params: { id } }))
  output.result(items, () => formatTable(['CREATED', 'CAUSE', 'STATE', 'JOB', 'OUTCOME'], items.map(toRow)))
}

export async function removeAutomation(output: Output, id: string): Promise<void> {
  await withClient((client) => client.deleteAutomation({ params: { id } }))
  output.result({ removed: id }, () => `Removed ${id}.`)
}

function readTrigger({ cron, timeZone, onMerge, onPush }: AutomationOptions): AutomationTriggerInput {
  if (cron !== undefined) return { type: 'schedule', cron, timeZone }
  if (onMerge !== undefined) return { type: 'merge', repository: onMerge }
  return { type: onPush === true ? 'push' : 'manual' }
}

function describe({ trigger }: AutomationResource): string {
  if (trigger.type === 'schedule') return `${trigger.cron} ${trigger.timeZone}`
  return trigger.type === 'merge' ? `merge in ${trigger.repository}` : trigger.type
}

function describeState({ enabled, failure }: AutomationResource): string {
  return enabled ? (failure ?? 'on') : 'off'
}

function toRow({ createdAt, cause, state, jobId, outcome }: AutomationRunResource): string[] {
  return [createdAt, cause, state, jobId ?? '-', outcome ?? '-']
}

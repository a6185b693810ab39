import { type Command, Option } from 'commander'
import { listAll } from '../client/list-all.ts'
import { nameCommand } from '../config/name-command.ts'
import type { AutomationResource, AutomationRunResource, AutomationTriggerInput } from '../contract/automations.ts'
import { printReply, withClient } from './connect.ts'
import { formatTable, type Output } from './output.ts'
import { wholeNumber } from './option-values.ts'

interface AutomationOptions {
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

const count = wholeNumber(1, 999)

/** `docent automation …`: jobs that start repeatedly. */
export function addAutomationCommands(program: Command, output: () => Output): void {
  const automation = program.command('automation').description('start jobs on a schedule or when something changes')
  automation
    .command('add')
    .description('add an automation; without a trigger it only runs manually')
    .requiredOption('--site <slug>', 'the site to edit')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--prompt <text>', 'what to do; {{commits}}, {{files}} and other placeholders are filled in')
    .addOption(new Option('--on-push', 'run when the branch of the site changes').conflicts(['onMerge', 'cron']))
    .addOption(new Option('--on-merge <name>', 'run when this context repository changes').conflicts('cron'))
    .option('--cron <schedule>', 'run on a cron schedule, such as "0 6 * * 1-5"')
    .option('--time-zone <name>', 'time zone of the schedule', 'UTC')
    .option('--open-pull-requests <count>', 'most open pull requests at a time (default: 1)', count)
    .option('--runs-per-day <count>', 'most runs per day (default: 10)', count)
    .action((options: AutomationOptions) =>
      printReply(
        output(),
        (client) => client.createAutomation({ body: toInput(options) }),
        ({ id, nextRunAt }) => {
          const next = nextRunAt === null ? '' : ` The next run is at ${nextRunAt}.`
          return `Added ${id}.${next} To run it now: ${nameCommand(`automation run ${id}`)}`
        },
      ),
    )
  automation
    .command('list')
    .description('list the automations')
    .action(() =>
      printReply(
        output(),
        (client) => listAll((cursor) => client.listAutomations({ query: { cursor } })),
        (automations) => formatTable(['ID', 'NAME', 'TRIGGER', 'NEXT RUN', 'STATE'], automations.map(toRow)),
      ),
    )
  automation
    .command('run <id>')
    .description('run an automation now')
    .action((id: string) =>
      printReply(
        output(),
        (client) => client.runAutomation({ params: { id } }),
        () => `The run is queued. To see its result: ${nameCommand(`automation runs ${id}`)}`,
      ),
    )
  automation
    .command('runs <id>')
    .description('list the latest runs and their outcomes')
    .action(async (id: string) => {
      const { items } = await withClient((client) => client.listAutomationRuns({ params: { id } }))
      output().result(items, () => formatTable(['CREATED', 'CAUSE', 'STATE', 'JOB', 'OUTCOME'], items.map(toRunRow)))
    })
  automation
    .command('remove <id>')
    .description('remove an automation; its jobs and pull requests are kept')
    .action(async (id: string) => {
      await withClient((client) => client.deleteAutomation({ params: { id } }))
      output().result({ removed: id }, () => `Removed ${id}.`)
    })
}

function toInput(options: AutomationOptions) {
  const { site, name, prompt, openPullRequests, runsPerDay } = options
  return {
    site,
    name,
    prompt,
    trigger: readTrigger(options),
    ...(openPullRequests !== undefined && { openPullRequestsMax: openPullRequests }),
    ...(runsPerDay !== undefined && { runsPerDayMax: runsPerDay }),
  }
}

function readTrigger({ cron, timeZone, onMerge, onPush }: AutomationOptions): AutomationTriggerInput {
  if (cron !== undefined) return { type: 'schedule', cron, timeZone }
  if (onMerge !== undefined) return { type: 'merge', repository: onMerge }
  return { type: onPush === true ? 'push' : 'manual' }
}

function describeTrigger({ trigger }: AutomationResource): string {
  if (trigger.type === 'schedule') return `${trigger.cron} ${trigger.timeZone}`
  return trigger.type === 'merge' ? `merge in ${trigger.repository}` : trigger.type
}

function toRow(automation: AutomationResource): string[] {
  const { id, name, nextRunAt, enabled, failure } = automation
  return [id, name, describeTrigger(automation), nextRunAt ?? '-', enabled ? (failure ?? 'on') : 'off']
}

function toRunRow({ createdAt, cause, state, jobId, outcome }: AutomationRunResource): string[] {
  return [createdAt, cause, state, jobId ?? '-', outcome ?? '-']
}

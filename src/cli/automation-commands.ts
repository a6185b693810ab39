import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  addAutomation,
  type AutomationOptions,
  listAutomationRuns,
  listAutomations,
  removeAutomation,
  runAutomation,
} from './automation.ts'
import type { Output } from './output.ts'

const count = (value: string): number => {
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Use a whole number of at least 1.')
}

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
    .action((options: AutomationOptions) => addAutomation(output(), options))
  automation
    .command('list')
    .description('list the automations')
    .action(() => listAutomations(output()))
  automation
    .command('run')
    .description('run an automation now')
    .argument('<id>')
    .action((id: string) => runAutomation(output(), id))
  automation
    .command('runs')
    .description('list the latest runs and their outcomes')
    .argument('<id>')
    .action((id: string) => listAutomationRuns(output(), id))
  automation
    .command('remove')
    .description('remove an automation; its jobs and pull requests are kept')
    .argument('<id>')
    .action((id: string) => removeAutomation(output(), id))
}

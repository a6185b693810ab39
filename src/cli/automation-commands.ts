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
  throw new InvalidArgumentError('Take a whole number from 1 on.')
}

/** `docent automation …`: jobs that are made again and again. */
export function addAutomationCommands(program: Command, output: () => Output): void {
  const automation = program.command('automation').description('have the agent work whenever something changes')
  automation
    .command('add')
    .description('add an automation; without a trigger it runs by hand only')
    .requiredOption('--site <slug>', 'the site that it edits')
    .requiredOption('--name <name>', 'for people')
    .requiredOption('--prompt <text>', 'what to do; {{commits}}, {{files}} and others are filled in')
    .addOption(new Option('--on-push', 'run when the branch of the site moves').conflicts(['onMerge', 'cron']))
    .addOption(new Option('--on-merge <name>', 'run when this context repository changes').conflicts('cron'))
    .option('--cron <schedule>', 'run by a schedule, such as "0 6 * * 1-5"')
    .option('--time-zone <name>', 'of the schedule', 'UTC')
    .option('--open-pull-requests <count>', 'how many may be open; 1 without it', count)
    .option('--runs-per-day <count>', 'how often it may run; 10 without it', count)
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
    .description('list what came of the newest runs')
    .argument('<id>')
    .action((id: string) => listAutomationRuns(output(), id))
  automation
    .command('remove')
    .description('remove an automation; its jobs and pull requests stay')
    .argument('<id>')
    .action((id: string) => removeAutomation(output(), id))
}

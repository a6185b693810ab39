import type { Command } from 'commander'
import { deletionsAllowed } from '../contract/agent-job.ts'
import { allowJobDeletions, cancelJob, createJob, type JobOptions, listJobs, watchJob } from './job.ts'
import type { Output } from './output.ts'

export function addJobCommands(program: Command, output: () => Output): void {
  const job = program.command('job').description('start agent jobs and follow them')
  withProject(job.command('create'))
    .description('ask the agent for a change; it opens a pull request')
    .argument('<prompt...>', 'what to change')
    .option('--site <slug>', 'the site to edit, if the project has several')
    .option('--branch <name>', 'the branch to write to (default: generated)')
    .option('--base-branch <name>', 'the branch to start from (default: the branch of the site)')
    .option('--allow-deletions', `let it ${deletionsAllowed} (owners only)`)
    .option('--draft', 'open the pull request as a draft')
    .option('--model <provider/model>', 'one of the configured models')
    .option('--watch', 'follow the job until it ends')
    .action((prompt: string[], options: JobOptions) => createJob(output(), prompt.join(' '), options))
  withProject(job.command('watch'))
    .description('follow a job until it ends')
    .argument('<id>')
    .action((id: string, options: JobOptions) => watchJob(output(), id, options))
  withProject(job.command('list'))
    .description('list the jobs, newest first')
    .action((options: JobOptions) => listJobs(output(), options))
  withProject(job.command('allow-deletions'))
    .description('let a job delete what it was refused, and have it try again (owners only)')
    .argument('<id>')
    .action((id: string, options: JobOptions) => allowJobDeletions(output(), id, options))
  withProject(job.command('cancel'))
    .description('cancel a job')
    .argument('<id>')
    .action((id: string, options: JobOptions) => cancelJob(output(), id, options))
}

function withProject(command: Command): Command {
  return command.option('--project <id>', 'the project', 'default')
}

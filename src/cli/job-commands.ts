import type { Command } from 'commander'
import { deletionsAllowed, type AgentJobResource } from '../contract/agent-job.ts'
import { type Output, formatTable } from './output.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../client/create-client.ts'
import { nameCommand } from '../config/name-command.ts'
import { decodeAgentJobEvents } from '../contract/agent-job-event.ts'
import { readText } from './ask.ts'
import { withClient } from './connect.ts'
import { describeJobEvent } from './describe-job-event.ts'

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

interface JobOptions {
  project: string
  branch?: string
  baseBranch?: string
  allowDeletions?: boolean
  draft?: boolean
  site?: string
  model?: string
  watch?: boolean
}

/** Delay before reconnecting to a broken event stream. */
const reconnectMs = 500

async function createJob(output: Output, prompt: string, options: JobOptions): Promise<void> {
  const { project, site, branch, baseBranch, allowDeletions, draft, model } = options
  await withClient(async (client) => {
    const job = await client.createJob({
      params: { projectId: project },
      body: {
        prompt,
        site: site ?? null,
        branch: branch ?? null,
        baseBranch: baseBranch ?? null,
        allowDeletions: allowDeletions ?? null,
        draft: draft ?? null,
        model: model ?? null,
      },
    })
    output.result(job, () => `Started ${job.id} from ${job.source.ref} of ${job.source.repository} with ${job.model}.`)
    if (options.watch === true) await follow(client, output, project, job.id)
    else output.progress(`To follow it: ${nameCommand(`job watch ${job.id}`)}`)
  })
}

/** `docent job watch`: streams the steps and the outcome. Fails if the job failed. */
async function watchJob(output: Output, id: string, { project }: JobOptions): Promise<void> {
  await withClient(async (client) => {
    await client.getJob({ params: { projectId: project, id } })
    await follow(client, output, project, id)
  })
}

async function follow(client: Client, output: Output, project: string, id: string): Promise<void> {
  let after = 0
  for (;;) {
    after = await printEvents(client, output, { project, id, after }).catch(() => after)
    const job = await client.getJob({ params: { projectId: project, id } })
    if (job.status === 'failed') throw new Error(`The job failed: ${job.failure?.message}`)
    if (job.status === 'completed') return
    // A stopping server ends its streams; the next server resumes the job.
    await wait(reconnectMs)
  }
}

async function printEvents(
  client: Client,
  output: Output,
  { project, id, after }: { project: string; id: string; after: number },
): Promise<number> {
  let last = after
  const headers = { 'Last-Event-ID': String(after) }
  const { body } = await client.followJob({ params: { projectId: project, id }, headers })
  if (body === null) return last
  for await (const { seq, event } of decodeAgentJobEvents(readText(body))) {
    last = seq
    const line = describeJobEvent(event)
    if (output.isJson) output.result({ seq, ...event }, () => '')
    else if (line !== null) output.write(`${line}\n`)
  }
  return last
}

/** `docent job list`: the latest page of jobs. */
async function listJobs(output: Output, { project }: JobOptions): Promise<void> {
  const { jobs } = await withClient((client) => client.listJobs({ params: { projectId: project } }))
  output.result(jobs, () => formatTable(['ID', 'STATUS', 'CREATED', 'PULL REQUEST', 'PROMPT'], jobs.map(toRow)))
}

async function allowJobDeletions(output: Output, id: string, { project }: JobOptions): Promise<void> {
  const job = await withClient((client) => client.allowJobDeletions({ params: { projectId: project, id } }))
  output.result(job, () => `${job.id} may delete files now, and goes on.`)
}

async function cancelJob(output: Output, id: string, { project }: JobOptions): Promise<void> {
  const job = await withClient((client) => client.cancelJob({ params: { projectId: project, id } }))
  output.result(job, () =>
    job.failure?.code === 'cancelled' ? `Cancelled ${job.id}.` : `${job.id} has already ended: ${job.status}.`,
  )
}

const promptCharsShown = 50

function toRow(job: AgentJobResource): string[] {
  const prompt = job.prompt.replaceAll(/\s+/g, ' ')
  const shown = prompt.length > promptCharsShown ? `${prompt.slice(0, promptCharsShown - 1)}…` : prompt
  return [job.id, job.status, `${job.createdAt.slice(0, 16)}Z`, job.prLink ?? '-', shown]
}

import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { agentJobListSchema, type AgentJobResource, agentJobSchema } from '../../src/contract/agent-job.ts'
import { createSeededRandom } from './seeded-random.ts'
import { startVictim, type Victim } from './start-victim.ts'

export interface KillAgentOptions {
  kills: number
  seed: number
  /** Jobs that are given before each kill. */
  jobsPerKill: number
  /** PostgreSQL, with two processes on it, one of which is killed; the embedded database and one process without it. */
  databaseUrl?: string
  /** Told of each kill. */
  onKill?: (report: { kill: number; afterMs: number; process: number }) => void
}

const adminKey = `svc_${'c'.repeat(43)}`

/** A job of a small site takes about this long, so that kills fall into each of its steps. */
const killAfterMsMax = 1_200
const jobsWaitMs = 240_000

/**
 * Kills a process at random moments while jobs are given and worked on, and looks at what became of them.
 *
 * @returns A sentence for every broken promise: none is what is wanted.
 */
export async function killAgent(options: KillAgentOptions): Promise<string[]> {
  const random = createSeededRandom(options.seed)
  const folder = await mkdtemp(join(tmpdir(), 'docent-agent-chaos-'))
  const start = () => startServer(folder, options.databaseUrl)
  const servers = [await start()]
  if (options.databaseUrl !== undefined) servers.push(await start())
  const prompts = new Map<string, string>()
  try {
    for (let kill = 1; kill <= options.kills; kill++) {
      const chosen = Math.floor(random() * servers.length)
      const afterMs = Math.round(random() * killAfterMsMax)
      const given = giveJobs(servers, prompts, { kill, count: options.jobsPerKill })
      await wait(afterMs)
      await servers[chosen]?.kill()
      options.onKill?.({ kill, afterMs, process: chosen })
      servers[chosen] = await start()
      await given
    }
    const jobs = await finishJobs(servers, prompts)
    return [...judgeJobs(jobs, prompts), ...(await judgeRepository(folder, jobs, prompts))]
  } finally {
    for (const server of servers) await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Gives each job until somebody has taken it, with a key of its own, as a careful client does. */
async function giveJobs(
  servers: readonly ChaosServer[],
  prompts: Map<string, string>,
  { kill, count }: { kill: number; count: number },
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const value = `chaos ${kill}-${index}`
    const prompt = `Set the description of page index to "${value}".`
    const job = await insist(async (attempt) => {
      const server = servers[attempt % servers.length]
      const response = await server?.send(
        '/v2/agent/default/job',
        { prompt },
        { 'idempotency-key': `k-${kill}-${index}` },
      )
      return response?.status === 201 ? agentJobSchema.parse(await response.json()) : null
    })
    prompts.set(job.id, value)
  }
}

/** Tries again while a server is down. */
async function insist<Result>(work: (attempt: number) => Promise<Result | null>): Promise<Result> {
  const endsAt = Date.now() + jobsWaitMs
  for (let attempt = 0; Date.now() < endsAt; attempt++) {
    const result = await work(attempt).catch(() => null)
    if (result !== null) return result
    await wait(50)
  }
  throw new Error('No server took the request in time.')
}

async function finishJobs(servers: readonly ChaosServer[], prompts: ReadonlyMap<string, string>) {
  return insist(async (attempt) => {
    const server = servers[attempt % servers.length]
    const jobs: AgentJobResource[] = []
    let cursor = ''
    do {
      const response = await server?.send(`/v2/agent/default/jobs?limit=200${cursor}`)
      const page = agentJobListSchema.parse(await response?.json())
      jobs.push(...page.jobs)
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    } while (cursor !== '')
    return jobs.length >= prompts.size && jobs.every(({ status }) => status !== 'active') ? jobs : null
  })
}

function judgeJobs(jobs: readonly AgentJobResource[], prompts: ReadonlyMap<string, string>): string[] {
  const faults = jobs
    .filter(({ status, prLink }) => status !== 'completed' || prLink === null)
    .map(
      ({ id, status, failure }) =>
        `${id} ended ${status} (${failure?.code}: ${failure?.message}) or without a pull request`,
    )
  if (jobs.length !== prompts.size) faults.push(`${prompts.size} jobs were given and ${jobs.length} are there`)
  const links = new Set(jobs.map(({ prLink }) => prLink))
  if (links.size !== jobs.length) faults.push(`${jobs.length} jobs have ${links.size} pull requests`)
  return faults
}

/** One branch for each job, one commit on each, and on it the tree that the job would have made without a kill. */
async function judgeRepository(
  folder: string,
  jobs: readonly AgentJobResource[],
  prompts: ReadonlyMap<string, string>,
): Promise<string[]> {
  const repositories = join(folder, 'repositories')
  const name = (await readdir(repositories)).find((entry) => entry.endsWith('.git')) ?? ''
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', join(repositories, name), ...args], { encoding: 'utf8' }).trim()
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads/docent').split('\n').filter(Boolean)
  const before = git('show', 'main:index.mdx')
  const faults = branches.length === jobs.length ? [] : [`${jobs.length} jobs have ${branches.length} branches`]
  const pulls = new Set(git('for-each-ref', '--format=%(refname)', 'refs/pull').split('\n').filter(Boolean))
  for (const ref of pulls) if (!/^refs\/pull\/\d+\/head$/.test(ref)) faults.push(`${ref} is a strange ref`)
  for (const { id, branch } of jobs) {
    const commits = git('rev-list', '--count', `main..${branch}`)
    if (commits !== '1') faults.push(`${id} has ${commits} commits`)
    const changed = git('diff-tree', '-r', '--name-only', '--no-commit-id', 'main', branch)
    if (changed !== 'index.mdx') faults.push(`${id} changed ${changed}`)
    const page = git('show', `${branch}:index.mdx`)
    const wanted = before.replace(/^description: .*$/m, `description: "${prompts.get(id)}"`)
    if (page !== wanted) faults.push(`${id} did not do what was asked`)
  }
  return faults
}

interface ChaosServer extends Pick<Victim, 'kill'> {
  send(path: string, body?: object, headers?: Record<string, string>): Promise<Response>
}

async function startServer(folder: string, databaseUrl: string | undefined): Promise<ChaosServer> {
  const { url, kill } = await startVictim(folder, {
    DOCENT_BASE_URL: 'http://docs.example.com',
    DOCENT_ADMIN_KEY: adminKey,
    DOCENT_LIMIT_JOBS_PER_HOUR: '100000',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, DOCENT_SECRET_KEY: 's'.repeat(40) }),
  })
  return {
    send: (path, body, headers = {}) =>
      fetch(url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(20_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    kill,
  }
}

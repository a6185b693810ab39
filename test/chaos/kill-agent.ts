import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { agentJobListSchema, type AgentJobResource, agentJobSchema } from '../../src/contract/agent-job.ts'
import { judgeBranches, judgeJobs } from './judge-jobs.ts'
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
    return [...judgeJobs(jobs, prompts), ...judgeBranches(await findRepository(folder), jobs, prompts)]
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

async function findRepository(folder: string): Promise<string> {
  const repositories = join(folder, 'repositories')
  return join(repositories, (await readdir(repositories)).find((entry) => entry.endsWith('.git')) ?? '')
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

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { agentJobSchema } from '../../src/contract/agent-job.ts'
import { adminKey, copyUsualFirstStart } from '../support/start-docent.ts'
import { finishJobs } from './finish-jobs.ts'
import { insist } from './insist.ts'
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

/** A job of a small site takes about this long, so that kills fall into each of its steps. */
const killAfterMsMax = 1_200

/**
 * Kills a process at random moments while jobs are given and worked on, and looks at what became of them.
 *
 * @returns A sentence for every broken promise: none is what is wanted.
 */
export async function killAgent(options: KillAgentOptions): Promise<string[]> {
  const random = createSeededRandom(options.seed)
  const folder = await mkdtemp(join(tmpdir(), 'docent-agent-chaos-'))
  if (options.databaseUrl === undefined) await copyUsualFirstStart(folder)
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
    const jobs = await finishJobs(prompts.size, (path, attempt) => sendToOne(servers, attempt, path))
    return [...judgeJobs(jobs, prompts), ...judgeBranches(await findRepository(folder), jobs, prompts)]
  } finally {
    for (const server of servers) await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Submits each job until it is accepted, with its own idempotency key, as a careful client does. */
async function giveJobs(
  servers: readonly ChaosServer[],
  prompts: Map<string, string>,
  { kill, count }: { kill: number; count: number },
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const value = `chaos ${kill}-${index}`
    const prompt = `Set the description of page index to "${value}".`
    const job = await insist(async (attempt) => {
      const key = { 'idempotency-key': `k-${kill}-${index}` }
      const response = await sendToOne(servers, attempt, '/v2/agent/default/job', { prompt }, key)
      return response.status === 201 ? agentJobSchema.parse(await response.json()) : null
    })
    prompts.set(job.id, value)
  }
}

/** Another one at each attempt. */
function sendToOne(
  servers: readonly ChaosServer[],
  attempt: number,
  ...request: Parameters<ChaosServer['send']>
): Promise<Response> {
  const server = servers[attempt % servers.length]
  if (server === undefined) throw new Error('There is no server.')
  return server.send(...request)
}

export async function findRepository(folder: string): Promise<string> {
  const repositories = join(folder, 'repositories')
  return join(repositories, (await readdir(repositories)).find((entry) => entry.endsWith('.git')) ?? '')
}

interface ChaosServer extends Pick<Victim, 'kill'> {
  send(path: string, body?: object, headers?: Record<string, string>): Promise<Response>
}

export async function startServer(folder: string, databaseUrl: string | undefined): Promise<ChaosServer> {
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

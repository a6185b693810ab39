import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { AgentJobResource } from '../../src/contract/agent-job.ts'
import { transcriptSchema } from '../../src/contract/threads.ts'
import { adminKey, type Cluster } from './cluster.ts'
import { judgeLimits, type Ledger } from './cluster-load.ts'
import { finishJobs } from './finish-jobs.ts'
import { insist } from './insist.ts'
import { judgeBranches, judgeJobs } from './judge-jobs.ts'

/** Compares what clients were told with what is there. @returns A sentence for every broken promise. */
export async function judgeCluster(cluster: Cluster, ledger: Ledger): Promise<string[]> {
  const jobs = await finishJobs(ledger.jobs.size, (path) => read(cluster, path))
  return [
    ...judgeLimits(ledger),
    ...(await judgeAnswers(cluster, ledger)),
    ...judgeJobs(jobs, ledger.jobs),
    ...(await judgeClone(cluster, jobs, ledger)),
  ]
}

function read(cluster: Cluster, path: string): Promise<Response> {
  const [url = ''] = cluster.urls()
  return fetch(url + path, {
    headers: { authorization: `Bearer ${adminKey}` },
    signal: AbortSignal.timeout(20_000),
  })
}

/** What a client saw finished is stored, once and as it was; what broke off is stored once at most. */
async function judgeAnswers(cluster: Cluster, { answers, brokenThreads }: Ledger): Promise<string[]> {
  const faults: string[] = []
  for (const [thread, text] of answers) {
    const messages = await readThread(cluster, thread)
    const given = messages.filter(({ role }) => role === 'assistant')
    if (given.length !== 1 || messages.length !== 2) faults.push(`${thread} has ${messages.length} messages, not 2`)
    else if (given[0]?.text !== text) faults.push(`${thread} is stored with another text than it was sent with`)
  }
  for (const thread of brokenThreads) {
    const count = (await readThread(cluster, thread)).length
    if (count > 2) faults.push(`${thread} broke off and has ${count} messages`)
  }
  return faults
}

async function readThread(cluster: Cluster, thread: string) {
  return insist(async () => {
    const response = await read(cluster, `/admin/v1/sites/docs/threads/${encodeURIComponent(thread)}`)
    if (response.status === 404) return []
    return response.status === 200 ? transcriptSchema.parse(await response.json()).messages : null
  })
}

async function judgeClone(cluster: Cluster, jobs: AgentJobResource[], ledger: Ledger): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docent-clone-'))
  const [url = ''] = cluster.urls()
  const address = new URL('/git/default/docs.git', url)
  address.username = 'key'
  address.password = adminKey
  try {
    // Not in the foreground: the ways to the database pass through this process.
    await promisify(execFile)('git', ['clone', '--quiet', '--mirror', address.href, folder])
    return judgeBranches(folder, jobs, ledger.jobs)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

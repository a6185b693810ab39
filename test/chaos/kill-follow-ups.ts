import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type AgentJobResource, agentJobSchema } from '../../src/contract/agent-job.ts'
import { copyUsualFirstStart } from '../support/start-docent.ts'
import { finishJobs } from './finish-jobs.ts'
import { insist } from './insist.ts'
import { findRepository, startServer } from './kill-agent.ts'
import { createSeededRandom } from './seeded-random.ts'

export interface KillFollowUpsOptions {
  kills: number
  seed: number
  onKill?: (report: { kill: number; afterMs: number }) => void
}

/** Bringing a branch up to date and working on it takes about this long. */
const killAfterMsMax = 1_500

/**
 * Lets jobs add pages to one group, merges the first of them, and kills the process while follow-ups bring the branches
 * of the others up to date.
 *
 * @returns A sentence for every broken promise.
 */
export async function killFollowUps({ kills, seed, onKill }: KillFollowUpsOptions): Promise<string[]> {
  const random = createSeededRandom(seed)
  const folder = await mkdtemp(join(tmpdir(), 'docent-follow-up-chaos-'))
  await copyUsualFirstStart(folder)
  let server = await startServer(folder, undefined)
  const send: typeof server.send = (...request) => server.send(...request)
  try {
    for (let number = 0; number <= kills; number++) {
      const prompt = `Add a page guides/added-${number} with this content:\n\`\`\`md\nText.\n\`\`\``
      await send('/v2/agent/default/job', { prompt })
    }
    const [first, ...others] = await finishJobs(kills + 1, (path) => send(path))
    const merged = await send(`/admin/v1/pull-requests/${first?.pullRequest?.id}/merge`, {})
    if (!merged.ok) return [`The first job could not be merged: ${await merged.text()}`]
    for (const [index, job] of others.entries()) {
      const afterMs = Math.round(random() * killAfterMsMax)
      await insist(async () => (await follow(send, job)).ok || null)
      await wait(afterMs)
      await server.kill()
      onKill?.({ kill: index + 1, afterMs })
      server = await startServer(folder, undefined)
    }
    const ended = await finishJobs(kills + 1, (path) => send(path))
    const repository = await findRepository(folder)
    return ended.filter(({ id }) => id !== first?.id).flatMap((job) => judge(repository, job))
  } finally {
    await server.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

const followUp = 'Set the description of page index to "Followed".'

/** Sends the message once: a job that has it is left alone. */
async function follow(send: (path: string, body?: object) => Promise<Response>, { id }: AgentJobResource) {
  const path = `/v2/agent/default/job/${id}`
  const response = await send(path)
  const { prompt } = agentJobSchema.parse(await response.clone().json())
  return prompt === followUp ? response : send(`${path}/message`, { prompt: followUp })
}

/** One pull request as before, one merge and one commit on top, and the entries of both jobs. */
function judge(gitDirectory: string, { id, branch, status, failure, pullRequest }: AgentJobResource): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', ['--git-dir', gitDirectory, ...args], { encoding: 'utf8' }).trim()
  const counts = [[], ['--merges']].map((flags) => git('rev-list', '--count', ...flags, `main..${branch}`))
  const added = git('show', `${branch}:docs.json`).match(/guides\/added-\d+/g) ?? []
  return [
    ...(status === 'completed' ? [] : [`${id} ended ${status}: ${failure?.message}`]),
    ...(pullRequest?.state === 'open' ? [] : [`${id} has no open pull request`]),
    ...(counts.join() === '3,1' ? [] : [`${id} has ${counts.join(' commits, of them merges: ')}`]),
    ...(added.length === 2 ? [] : [`${id} has the entries ${added.join()}`]),
  ]
}

import { type AgentJobResource, agentJobListSchema } from '../../src/contract/agent-job.ts'
import { insist } from './insist.ts'

const jobsPath = '/v2/agent/default/jobs?limit=200'

/** Waits until as many jobs as were given are there and none is active. @param read Asks a server, another one at each attempt. */
export function finishJobs(
  count: number,
  read: (path: string, attempt: number) => Promise<Response>,
): Promise<AgentJobResource[]> {
  return insist(async (attempt) => {
    const jobs: AgentJobResource[] = []
    let cursor = ''
    do {
      const page = agentJobListSchema.parse(await (await read(`${jobsPath}${cursor}`, attempt)).json())
      jobs.push(...page.jobs)
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`
    } while (cursor !== '')
    return jobs.length >= count && jobs.every(({ status }) => status !== 'active') ? jobs : null
  })
}

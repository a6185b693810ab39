import type { AgentJobResource } from '../../../src/contract/agent-job.ts'
import { agentJobOperations } from '../../../src/contract/operations/agent-jobs.ts'
import { queryOf } from './call.ts'

/** Polling interval for active jobs, in case a proxy blocks event streams. */
const activeReadMs = 5_000

export function jobQuery(id: string) {
  return {
    ...queryOf(agentJobOperations.findJob, { params: { id } }),
    refetchInterval: ({ state }: { state: { data: AgentJobResource | undefined } }) =>
      state.data?.status === 'active' ? activeReadMs : (false as const),
  }
}

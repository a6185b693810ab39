import type { AgentJobResource } from '../../../src/contract/agent-job.ts'
import { agentJobOperations } from '../../../src/contract/operations/agent-jobs.ts'
import { queryOf } from './call.ts'

/** How often an active job is read without an event that says so: where a proxy lets no stream through. */
const activeReadMs = 5_000

export function jobQuery(id: string) {
  return {
    ...queryOf(agentJobOperations.findJob, { params: { id } }),
    refetchInterval: ({ state }: { state: { data: AgentJobResource | undefined } }) =>
      state.data?.status === 'active' ? activeReadMs : (false as const),
  }
}

import { diffJob } from '../../agent/jobs/diff-job.ts'
import { AppError } from '../../contract/app-error.ts'
import type { agentOperations } from '../../contract/operations/agent-jobs.ts'
import { offlineModelId } from '../../contract/model-providers.ts'
import { findJobOfOrganization, toJobResource } from '../resources/agent-job-resource.ts'
import { createGate } from '../create-gate.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Each diff starts half a dozen git processes. */
export const jobDiffGate = { runningMax: 3, waitingMax: 60, waitMsMax: 10_000 } as const

/** Handlers for the dashboard's views of jobs, beyond the agent's own API. */
export function createAgentHandlers(deps: ServerDeps): Handlers<typeof agentOperations> {
  const gate = createGate({ what: 'views of job changes', ...jobDiffGate })

  return {
    getAgentOptions: async () => {
      const { defaultId, ids } = await deps.agent.models()
      const { steps, tokens, activeMs, roundUsd } = deps.agent.budgets
      const budget = { steps, tokens, minutes: activeMs / 60_000, costUsd: roundUsd }
      return { model: defaultId, models: [...ids], isOffline: defaultId === offlineModelId, budget }
    },

    findJob: async ({ c, params }) => {
      const job = await findJobOfOrganization(c, deps, params.id)
      return toJobResource(await deps.pullRequests.read(job, c.req.raw.signal))
    },

    getJobDiff: async ({ c, params }) => {
      const job = await findJobOfOrganization(c, deps, params.id)
      const diff = await gate.run(job.id, () => diffJob(deps.agent, job, c.req.raw.signal), c.req.raw.signal)
      if (diff === null) {
        throw new AppError('not_found', `The job ${job.id} has no change to show yet. Ask again after its first step.`)
      }
      return diff
    },
  }
}

import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { diffJob } from '../../agent/diff-job.ts'
import { agentJobDiffSchema } from '../../contract/agent-job-diff.ts'
import { agentJobSchema } from '../../contract/agent-job.ts'
import { agentOptionsSchema } from '../../contract/agent-options.ts'
import { AppError } from '../../contract/app-error.ts'
import { offlineModelId } from '../../contract/model-providers.ts'
import { findJobOfOrganization, toJobResource } from '../agent-job-resource.ts'
import { createGate } from '../create-gate.ts'
import type { DocentServer } from '../create-server.ts'
import { reply } from '../reply.ts'
import { errorResponses } from '../route-responses.ts'
import type { ServerParts } from '../server-parts.ts'

const tags = ['Agent']
const security = [{ adminKey: [] }]
const params = z.object({ id: z.string().meta({ description: 'Id of the job.' }) })

const optionsRoute = createRoute({
  method: 'get',
  path: '/admin/v1/agent',
  tags,
  security,
  summary: 'What jobs run with',
  responses: {
    200: { description: 'Models and budget.', content: { 'application/json': { schema: agentOptionsSchema } } },
    ...errorResponses(401, 403, 503),
  },
})

const getRoute = createRoute({
  method: 'get',
  path: '/admin/v1/jobs/{id}',
  tags,
  security,
  summary: 'Get a job of any project of the organization',
  request: { params },
  responses: {
    200: { description: 'The job.', content: { 'application/json': { schema: agentJobSchema } } },
    ...errorResponses(401, 403, 404, 503),
  },
})

const diffRoute = createRoute({
  method: 'get',
  path: '/admin/v1/jobs/{id}/diff',
  tags,
  security,
  summary: 'What a job has changed so far',
  description: 'The state of its last step against the commit that the work began at, also while the job is active.',
  request: { params },
  responses: {
    200: { description: 'The change.', content: { 'application/json': { schema: agentJobDiffSchema } } },
    ...errorResponses(401, 403, 404, 429, 503),
  },
})

/** Mounts what the dashboard shows of jobs beyond the agent's own API. */
export function addAdminAgentJobs(app: DocentServer, parts: ServerParts): void {
  // A diff starts half a dozen processes of git.
  const gate = createGate({ what: 'look at changes of jobs', runningMax: 3, waitingMax: 60, waitMsMax: 10_000 })

  app.openapi(optionsRoute, async (c) => {
    const { defaultId, ids } = await parts.agent.models()
    const { steps, tokens, activeMs, roundUsd } = parts.agent.budgets
    const budget = { steps, tokens, minutes: activeMs / 60_000, costUsd: roundUsd }
    const options = { model: defaultId, models: [...ids], isOffline: defaultId === offlineModelId, budget }
    return reply(c, agentOptionsSchema, options, 200)
  })

  app.openapi(getRoute, async (c) => {
    const job = await findJobOfOrganization(c, parts, c.req.valid('param').id)
    return reply(c, agentJobSchema, toJobResource(await parts.pullRequests.read(job, c.req.raw.signal)), 200)
  })

  app.openapi(diffRoute, async (c) => {
    const job = await findJobOfOrganization(c, parts, c.req.valid('param').id)
    const diff = await gate.run(job.id, () => diffJob(parts.agent, job, c.req.raw.signal), c.req.raw.signal)
    if (diff === null) {
      throw new AppError('not_found', `The job ${job.id} has no change to show yet. Ask again after its first step.`)
    }
    return reply(c, agentJobDiffSchema, diff, 200)
  })
}

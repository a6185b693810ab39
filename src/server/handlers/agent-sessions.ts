import { createJob } from '../../agent/jobs/create-job.ts'
import { agentJobCreateSchema } from '../../contract/agent-job.ts'
import type { AnswerEvent } from '../../contract/answer-event.ts'
import { createDataStreamEncoder, dataStreamHeaders } from '../../contract/data-stream.ts'
import { readErrorDetails } from '../../contract/error-details.ts'
import { agentSessionOperations } from '../../contract/operations/agent-jobs.ts'
import { type AgentJob, listAgentJobs } from '../../store/agent/agent-jobs.ts'
import type { AppContext } from '../app-env.ts'
import { invalidRequest } from '../bodies/read-json.ts'
import { announceChange } from '../requests/announce-change.ts'
import { findOwnJob, findOwnProject, toJobResource } from '../resources/agent-job-resource.ts'
import type { Handlers } from '../serve-operations.ts'
import type { ServerDeps } from '../server-deps.ts'
import { countFor } from './agent-jobs.ts'

/** 2026-01-01, in the date format of RFC 9745. No sunset is planned. */
const deprecatedSince = '@1767225600'
const sessionsMax = 1_000

/** Version 1 of the agent's API, over the same jobs as version 2. */
export function createAgentSessionHandlers(deps: ServerDeps): Handlers<typeof agentSessionOperations> {
  return {
    createAgentSession: async ({ c, params, body: { branch, messages } }) => {
      const project = await findOwnProject(c, deps, params.projectId)
      const request = readJobRequest(branch, messages)
      const counting = countFor(c, deps, agentSessionOperations.createAgentSession.audit)
      const input = { projectId: project.id, request, idempotencyKey: null, count: counting.count }
      const { job } = await createJob(deps.agent, input, c.req.raw.signal)
      counting.tell()
      announceChange(c, deps, 'job-changed', { id: job.id })
      announceDeprecation(c, deps)
      return c.body(describeStart(job), 200, { ...dataStreamHeaders, 'X-Session-Id': job.id, 'X-Message-Id': job.id })
    },

    getAgentSession: async ({ c, params }) => {
      const job = await findOwnJob(c, deps, params)
      announceDeprecation(c, deps)
      return toSession(await deps.pullRequests.read(job, c.req.raw.signal))
    },

    listAgentSessions: async ({ c, params }) => {
      const project = await findOwnProject(c, deps, params.projectId)
      const { items } = await listAgentJobs(deps.store.durable, { projectId: project.id, limit: sessionsMax })
      announceDeprecation(c, deps)
      return { allSessions: items.map(toSession) }
    },
  }
}

/** @throws {AppError} `invalid_request` if the messages contain no prompt. */
function readJobRequest(branch: string, messages: readonly { content: string }[]) {
  const prompt = messages.map(({ content }) => content).join('\n\n')
  const parsed = agentJobCreateSchema.safeParse({ prompt, branch })
  if (parsed.success) return parsed.data
  throw invalidRequest(readErrorDetails(parsed.error).map(({ message }) => ({ path: 'messages', message })))
}

function announceDeprecation(c: AppContext, { baseUrl }: ServerDeps): void {
  c.header('Deprecation', deprecatedSince)
  c.header('Link', `<${baseUrl}${c.req.path.replace('/v1/', '/v2/')}>; rel="successor-version"`)
}

/** Its clients read the data stream of AI SDK 4. */
function describeStart({ id }: AgentJob): string {
  const text = `The job ${id} has started. Read it until \`haulted\` is true.`
  const usage = { inputTokens: 0, outputTokens: 0 }
  const events: AnswerEvent[] = [
    { type: 'answer-started', messageId: id, threadId: id },
    { type: 'step-started' },
    { type: 'text-started', id },
    { type: 'text-delta', id, text },
    { type: 'text-ended', id },
    { type: 'step-finished', finishReason: 'stop', usage },
    { type: 'answer-finished', threadId: id, finishReason: 'stop', usage, metadata: {} },
  ]
  return events.map(createDataStreamEncoder()).join('')
}

function toSession(job: AgentJob) {
  const { id, projectId, branch, status, failure, summary, createdAt } = job
  const { prLink } = toJobResource(job)
  const messageToUser = failure?.message ?? summary
  return {
    sessionId: id,
    subdomain: projectId,
    branch,
    haulted: status !== 'active',
    ...(status !== 'active' && { haultReason: readHaultReason(job) }),
    ...(prLink !== null && { pullRequestLink: prLink }),
    ...(messageToUser !== null && { messageToUser }),
    todos: [],
    createdAt,
  }
}

function readHaultReason({ status, failure }: AgentJob): 'completed' | 'github_missconfigured' | 'error' {
  if (status === 'completed') return 'completed'
  return failure?.code === 'host_failed' ? 'github_missconfigured' : 'error'
}

import { z } from 'zod'
import { agentJobDiffSchema } from '../agent-job-diff.ts'
import {
  agentJobCreateSchema,
  agentJobListQuerySchema,
  agentJobListSchema,
  agentJobMessageSchema,
  agentJobSchema,
  agentSessionCreateSchema,
  agentSessionListSchema,
  agentSessionSchema,
  deletionsAllowed,
} from '../agent-job.ts'
import { agentOptionsSchema } from '../agent-options.ts'
import { defineOperations, jobBytesMax } from './operation.ts'
import { idempotencyHeaders } from './params.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the job.' }) })
const projectParams = z.object({ projectId: z.string().meta({ description: 'Id of the project.' }) })
const jobParams = projectParams.extend({ id: z.string().meta({ description: 'Id of the job.' }) })

const tag = { name: 'Agent', description: 'Jobs in which the agent edits the documentation and opens pull requests.' }

export const jobOperations = defineOperations(tag, {
  createJob: {
    method: 'post',
    path: '/v2/agent/{projectId}/job',
    summary: 'Create a job',
    description:
      'Returns immediately. Poll the job until its `status` is `completed` or `failed`, or follow its events. Repeating the request with the same `Idempotency-Key` within 24 hours returns the same job; if the body differs, it is refused with 409.',
    access: 'editor',
    audit: 'job-created',
    dashboardEvent: 'job-changed',
    params: projectParams,
    headers: idempotencyHeaders,
    body: agentJobCreateSchema,
    bodyBytesMax: jobBytesMax,
    replies: { 201: { description: 'The job.', json: agentJobSchema } },
    errors: [409, 422, 429],
  },
  listJobs: {
    method: 'get',
    path: '/v2/agent/{projectId}/jobs',
    summary: 'List jobs',
    access: 'viewer',
    params: projectParams,
    query: agentJobListQuerySchema,
    replies: { 200: { description: 'Jobs, newest first.', json: agentJobListSchema } },
  },
  getJob: {
    method: 'get',
    path: '/v2/agent/{projectId}/job/{id}',
    summary: 'Get a job',
    access: 'viewer',
    params: jobParams,
    replies: { 200: { description: 'The job.', json: agentJobSchema } },
  },
  sendJobMessage: {
    method: 'post',
    path: '/v2/agent/{projectId}/job/{id}/message',
    summary: 'Send a message to a job',
    description:
      'A job that has ended becomes `active` again and continues its branch and pull request. If the pull request was merged or closed, the job starts over and opens a new one. An active job reads the message after its current step.',
    access: 'editor',
    audit: 'job-continued',
    dashboardEvent: 'job-changed',
    params: jobParams,
    body: agentJobMessageSchema,
    bodyBytesMax: jobBytesMax,
    replies: { 200: { description: 'The job.', json: agentJobSchema } },
    errors: [409, 422, 429],
  },
  allowJobDeletions: {
    method: 'post',
    path: '/v2/agent/{projectId}/job/{id}/allow-deletions',
    summary: 'Let a job delete files',
    description: `An owner lets the job ${deletionsAllowed}. A job that has ended works on its last message again.`,
    access: 'owner',
    audit: 'job-deletions_allowed',
    dashboardEvent: 'job-changed',
    params: jobParams,
    replies: { 200: { description: 'The job.', json: agentJobSchema } },
    errors: [409, 422, 429],
  },
  cancelJob: {
    method: 'post',
    path: '/v2/agent/{projectId}/job/{id}/cancel',
    summary: 'Cancel a job',
    description: 'An active job ends as `failed` with the code `cancelled`. A job that has ended is not changed.',
    access: 'editor',
    audit: 'job-cancelled',
    dashboardEvent: 'job-changed',
    params: jobParams,
    replies: { 200: { description: 'The job.', json: agentJobSchema } },
  },
  archiveJob: {
    method: 'post',
    path: '/v2/agent/{projectId}/job/{id}/archive',
    summary: 'Archive a job',
    description: 'An archived job keeps its status and accepts no more messages.',
    access: 'editor',
    audit: 'job-archived',
    dashboardEvent: 'job-changed',
    params: jobParams,
    replies: { 200: { description: 'The job.', json: agentJobSchema } },
    errors: [409],
  },
  unarchiveJob: {
    method: 'post',
    path: '/v2/agent/{projectId}/job/{id}/unarchive',
    summary: 'Restore an archived job',
    description: 'The job accepts messages again. A job that is not archived is not changed.',
    access: 'editor',
    audit: 'job-unarchived',
    dashboardEvent: 'job-changed',
    params: jobParams,
    replies: { 200: { description: 'The job.', json: agentJobSchema } },
  },
  followJob: {
    method: 'get',
    path: '/v2/agent/{projectId}/job/{id}/events',
    summary: 'Stream the events of a job',
    description:
      'Server-sent events: all events so far, then live ones until the job ends. Each event has its number as `id`; to continue after a disconnect, send the last one received as `Last-Event-ID`.',
    access: 'viewer',
    params: jobParams,
    headers: z.object({
      'Last-Event-ID': z
        .string()
        .regex(/^\d{1,9}$/, { error: 'is not the number of an event' })
        .optional()
        .meta({ description: 'Number of the last event received.' }),
    }),
    replies: { 200: { description: 'The events.', text: ['text/event-stream'] } },
  },
})

export const agentOperations = defineOperations(tag, {
  getAgentOptions: {
    method: 'get',
    path: '/admin/v1/agent',
    summary: 'Get the models and budget of jobs',
    access: 'viewer',
    replies: { 200: { description: 'The models and the budget.', json: agentOptionsSchema } },
  },
  findJob: {
    method: 'get',
    path: '/admin/v1/jobs/{id}',
    summary: 'Get a job in any project',
    access: 'viewer',
    params,
    replies: { 200: { description: 'The job.', json: agentJobSchema } },
  },
  getJobDiff: {
    method: 'get',
    path: '/admin/v1/jobs/{id}/diff',
    summary: 'Get the diff of a job',
    description:
      "Compares the result of the job's last step with the commit that it started from. Also available while the job is active.",
    access: 'viewer',
    params,
    replies: { 200: { description: 'The diff.', json: agentJobDiffSchema } },
    errors: [429],
  },
})

export const agentSessionOperations = defineOperations(tag, {
  createAgentSession: {
    method: 'post',
    path: '/v1/agent/{projectId}/job',
    summary: 'Create a job (version 1)',
    description:
      'For clients of version 1 of Mintlify’s API; others should use version 2. The header `X-Session-Id` identifies the job. The reply does not wait for it.',
    deprecated: true,
    access: 'editor',
    audit: 'job-created',
    params: projectParams,
    body: agentSessionCreateSchema,
    bodyBytesMax: jobBytesMax,
    replies: { 200: { description: 'A sentence, as a data stream of AI SDK 4.', text: ['text/plain'] } },
    errors: [409, 422, 429],
  },
  getAgentSession: {
    method: 'get',
    path: '/v1/agent/{projectId}/job/{id}',
    summary: 'Get a job (version 1)',
    deprecated: true,
    access: 'viewer',
    params: jobParams,
    replies: { 200: { description: 'The job.', json: agentSessionSchema } },
  },
  listAgentSessions: {
    method: 'get',
    path: '/v1/agent/{projectId}/jobs',
    summary: 'List jobs (version 1)',
    deprecated: true,
    access: 'viewer',
    params: projectParams,
    replies: { 200: { description: 'The newest 1,000 jobs.', json: agentSessionListSchema } },
  },
})

export const agentJobOperations = { ...jobOperations, ...agentOperations, ...agentSessionOperations }

import { z } from 'zod'
import { agentOptionsSchema } from '../agent-options.ts'
import {
  agentJobCreateSchema,
  agentJobListQuerySchema,
  agentJobListSchema,
  agentJobMessageSchema,
  agentJobSchema,
} from '../agent-job.ts'
import { agentJobDiffSchema } from '../agent-job-diff.ts'
import { defineOperations, jobBytesMax } from './operation.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the job.' }) })
const projectParams = z.object({ projectId: z.string().meta({ description: 'Id of the project.' }) })
const jobParams = projectParams.extend({ id: z.string().meta({ description: 'Id of the job.' }) })

export const agentJobOperations = defineOperations(
  { name: 'Agent', description: 'Jobs that edit the documentation and open pull requests.' },
  {
    createJob: {
      method: 'post',
      path: '/v2/agent/{projectId}/job',
      summary: 'Create a job',
      description:
        'Answers at once; poll the job until its `status` is `completed` or `failed`, or follow its events. The same `Idempotency-Key` and body within 24 hours give the same job, the same key with another body is refused with 409.',
      access: 'editor',
      audit: 'job-created',
      params: projectParams,
      headers: z.object({
        'Idempotency-Key': z.string().optional().meta({ description: 'Chosen by the client, up to 255 characters.' }),
      }),
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
      replies: { 200: { description: 'Jobs, the newest first.', json: agentJobListSchema } },
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
      summary: 'Send a further message to a job',
      description:
        'A job that has ended is `active` again and continues its branch and pull request; after the pull request was merged or closed it starts anew and opens another one. An active job reads the message after its current step.',
      access: 'editor',
      audit: 'job-continued',
      params: jobParams,
      body: agentJobMessageSchema,
      bodyBytesMax: jobBytesMax,
      replies: { 200: { description: 'The job.', json: agentJobSchema } },
      errors: [409, 422, 429],
    },
    cancelJob: {
      method: 'post',
      path: '/v2/agent/{projectId}/job/{id}/cancel',
      summary: 'Cancel a job',
      description: 'An active job ends as `failed` with the code `cancelled`. One that has ended stays as it is.',
      access: 'editor',
      audit: 'job-cancelled',
      params: jobParams,
      replies: { 200: { description: 'The job.', json: agentJobSchema } },
    },
    archiveJob: {
      method: 'post',
      path: '/v2/agent/{projectId}/job/{id}/archive',
      summary: 'Archive a job',
      description: 'It keeps its status and takes no more messages.',
      access: 'editor',
      audit: 'job-archived',
      params: jobParams,
      replies: { 200: { description: 'The job.', json: agentJobSchema } },
      errors: [409],
    },
    followJob: {
      method: 'get',
      path: '/v2/agent/{projectId}/job/{id}/events',
      summary: 'Follow a job',
      description:
        'Server-sent events: everything that has happened, then live until the job ends. Each event carries its number as `id`; a client that comes back sends the last one as `Last-Event-ID`.',
      access: 'viewer',
      params: jobParams,
      headers: z.object({
        'Last-Event-ID': z.string().optional().meta({ description: 'The last event that the client has.' }),
      }),
      replies: { 200: { description: 'The events.', text: ['text/event-stream'] } },
    },
    getAgentOptions: {
      method: 'get',
      path: '/admin/v1/agent',
      summary: 'What jobs run with',
      access: 'viewer',
      replies: { 200: { description: 'Models and budget.', json: agentOptionsSchema } },
    },
    findJob: {
      method: 'get',
      path: '/admin/v1/jobs/{id}',
      summary: 'Get a job of any project of the organization',
      access: 'viewer',
      params,
      replies: { 200: { description: 'The job.', json: agentJobSchema } },
    },
    getJobDiff: {
      method: 'get',
      path: '/admin/v1/jobs/{id}/diff',
      summary: 'What a job has changed so far',
      description:
        'The state of its last step against the commit that the work began at, also while the job is active.',
      access: 'viewer',
      params,
      replies: { 200: { description: 'The change.', json: agentJobDiffSchema } },
      errors: [429],
    },
  },
)

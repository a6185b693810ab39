import { z } from 'zod'
import {
  buildInfoSchema,
  errorCountListSchema,
  errorCountQuerySchema,
  healthSchema,
  queueListSchema,
} from '../service-health.ts'
import { ownerLinkSchema } from '../repositories.ts'
import { defineOperations } from './operation.ts'

const aliveSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Alive' })
const readinessSchema = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    reasons: z.array(z.string()).meta({ description: 'Sentences; empty when ready.' }),
  })
  .meta({ id: 'Readiness' })

export const serviceOperations = defineOperations(
  { name: 'Operations', description: 'How the service is: for probes and for those who run it.' },
  {
    checkLiveness: {
      method: 'get',
      path: '/healthz',
      summary: 'Whether the process lives',
      access: 'public',
      replies: { 200: { description: 'It does.', json: aliveSchema } },
      neverErrors: [503],
    },
    checkReadiness: {
      method: 'get',
      path: '/readyz',
      summary: 'Whether questions can be answered',
      access: 'public',
      replies: {
        200: { description: 'They can.', json: readinessSchema },
        503: { description: 'They cannot, for the reasons given.', json: readinessSchema },
      },
    },
    followChanges: {
      method: 'get',
      path: '/admin/v1/events',
      summary: 'Follow what changes',
      description:
        'Server-sent events for those who show sites, syncs, jobs, keys and conversations: `{ "type": "site-changed", "id": "…" }`, and so on, with ids alone. `everything-changed` comes first, and whenever events may have been missed: read again what is shown. Ends after ten minutes; come back then.',
      access: 'viewer',
      replies: { 200: { description: 'The events.', text: ['text/event-stream'] } },
      errors: [429],
    },
    getHealth: {
      method: 'get',
      path: '/admin/v1/operations/health',
      summary: 'How everything is',
      description:
        'What the service stands on, part by part, in sentences. Calls no model and no host: it reads what their last use came to.',
      access: 'viewer',
      replies: { 200: { description: 'The parts.', json: healthSchema } },
    },
    listQueues: {
      method: 'get',
      path: '/admin/v1/operations/queue',
      summary: 'Work that waits and runs',
      access: 'viewer',
      replies: { 200: { description: 'By kind of work.', json: queueListSchema } },
    },
    listErrorCounts: {
      method: 'get',
      path: '/admin/v1/operations/errors',
      summary: 'Errors by code and hour',
      description:
        'Counts the errors that were answered to the organization, newest hour first; for the first organization also those of requests without a valid key.',
      access: 'viewer',
      query: errorCountQuerySchema,
      replies: { 200: { description: 'The counts.', json: errorCountListSchema } },
    },
    getBuildInfo: {
      method: 'get',
      path: '/admin/v1/operations/build',
      summary: 'What runs',
      access: 'viewer',
      replies: { 200: { description: 'This process.', json: buildInfoSchema } },
    },
    createOwnerLink: {
      method: 'post',
      path: '/admin/v1/owner-links',
      summary: 'Make a link that signs the owner in',
      description: 'It works once and for an hour.',
      access: 'owner',
      audit: 'sign-in-link-made',
      replies: { 201: { description: 'The link.', json: ownerLinkSchema } },
    },
  },
)

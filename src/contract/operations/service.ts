import { z } from 'zod'
import { ownerLinkSchema } from '../repositories.ts'
import {
  buildInfoSchema,
  errorCountListSchema,
  errorCountQuerySchema,
  healthSchema,
  queueListSchema,
} from '../service-health.ts'
import { changeOperations, serviceTag as tag } from './changes.ts'
import { defineOperations } from './operation.ts'

const aliveSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Alive' })
const readinessSchema = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    reasons: z
      .array(z.string())
      .meta({ description: 'Why the service is not ready, in sentences. Empty if it is ready.' }),
  })
  .meta({ id: 'Readiness' })

export const probeOperations = defineOperations(tag, {
  checkLiveness: {
    method: 'get',
    path: '/healthz',
    summary: 'Check liveness',
    access: 'public',
    replies: { 200: { description: 'The process is running.', json: aliveSchema } },
    neverErrors: [503],
  },
  checkReadiness: {
    method: 'get',
    path: '/readyz',
    summary: 'Check readiness',
    access: 'public',
    replies: {
      200: { description: 'The service can answer questions.', json: readinessSchema },
      503: { description: 'The service cannot answer questions, for the given reasons.', json: readinessSchema },
    },
  },
})

const observedOperations = defineOperations(tag, {
  getHealth: {
    method: 'get',
    path: '/admin/v1/operations/health',
    summary: 'Get the health of the service',
    description:
      'Reports the state of each part that the service depends on. Calls no model and no code host: their state is the result of their last use.',
    access: 'viewer',
    replies: { 200: { description: 'The health of the service and its parts.', json: healthSchema } },
  },
  listQueues: {
    method: 'get',
    path: '/admin/v1/operations/queue',
    summary: 'List queues',
    access: 'viewer',
    replies: { 200: { description: 'Queued and running work, by kind.', json: queueListSchema } },
  },
  listErrorCounts: {
    method: 'get',
    path: '/admin/v1/operations/errors',
    summary: 'List error counts',
    description:
      "Counts the organization's error responses by code and hour, newest hour first. For the first organization, includes requests without a valid key.",
    access: 'viewer',
    query: errorCountQuerySchema,
    replies: { 200: { description: 'The counts.', json: errorCountListSchema } },
  },
  getBuildInfo: {
    method: 'get',
    path: '/admin/v1/operations/build',
    summary: 'Get build information',
    access: 'viewer',
    replies: { 200: { description: 'The build and runtime of this process.', json: buildInfoSchema } },
  },
  createOwnerLink: {
    method: 'post',
    path: '/admin/v1/owner-links',
    summary: 'Create a sign-in link for the owner',
    description: 'The link works once and expires after one hour.',
    access: 'owner',
    audit: 'sign-in-link-made',
    replies: { 201: { description: 'The link.', json: ownerLinkSchema } },
  },
})

export const monitoringOperations = { ...changeOperations, ...observedOperations }
export const serviceOperations = { ...probeOperations, ...monitoringOperations }

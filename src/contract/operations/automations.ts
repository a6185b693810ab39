import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import {
  automationCreateSchema,
  automationListSchema,
  automationRunListSchema,
  automationRunSchema,
  automationSchema,
  automationUpdateSchema,
} from '../automations.ts'
import { defineOperations, longTextBytesMax } from './operation.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the automation.' }) })

export const automationOperations = defineOperations(
  { name: 'Automations', description: 'Jobs that run on a schedule or when a branch moves.' },
  {
    listAutomations: {
      method: 'get',
      path: '/admin/v1/automations',
      summary: 'List automations',
      access: 'viewer',
      query: listQuerySchema.extend({
        site: z.string().max(200).optional().meta({ description: 'Only those of this site, by its id or slug.' }),
      }),
      replies: { 200: { description: 'By id.', json: automationListSchema } },
      errors: [404],
    },
    createAutomation: {
      method: 'post',
      path: '/admin/v1/automations',
      summary: 'Add an automation',
      description:
        'A job that is made again and again. One that runs when a branch moves begins with what the branch names now.',
      access: 'owner',
      audit: 'automation-created',
      body: automationCreateSchema,
      bodyBytesMax: longTextBytesMax,
      replies: { 201: { description: 'The automation.', json: automationSchema } },
      errors: [404, 422],
    },
    getAutomation: {
      method: 'get',
      path: '/admin/v1/automations/{id}',
      summary: 'Get an automation',
      access: 'viewer',
      params,
      replies: { 200: { description: 'The automation.', json: automationSchema } },
    },
    updateAutomation: {
      method: 'patch',
      path: '/admin/v1/automations/{id}',
      summary: 'Change an automation',
      access: 'owner',
      audit: 'automation-changed',
      params,
      body: automationUpdateSchema,
      bodyBytesMax: longTextBytesMax,
      replies: { 200: { description: 'The automation.', json: automationSchema } },
      errors: [422],
    },
    deleteAutomation: {
      method: 'delete',
      path: '/admin/v1/automations/{id}',
      summary: 'Delete an automation',
      description: 'With its runs. Jobs and pull requests stay.',
      access: 'owner',
      audit: 'automation-deleted',
      params,
      replies: { 204: { description: 'It is gone.' } },
    },
    runAutomation: {
      method: 'post',
      path: '/admin/v1/automations/{id}/run',
      summary: 'Run an automation',
      description:
        'Queues a run, also of an automation that is switched off. Its limits count. Takes no body. The same `Idempotency-Key` is the same run.',
      access: 'editor',
      audit: 'automation-run',
      params,
      replies: { 201: { description: 'The run.', json: automationRunSchema } },
      errors: [400],
    },
    listAutomationRuns: {
      method: 'get',
      path: '/admin/v1/automations/{id}/runs',
      summary: 'List the runs of an automation',
      description: 'Kept for 90 days.',
      access: 'viewer',
      params,
      query: listQuerySchema,
      replies: { 200: { description: 'The newest first.', json: automationRunListSchema } },
    },
  },
)

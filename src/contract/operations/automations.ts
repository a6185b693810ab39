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
import { idempotencyHeaders } from './params.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the automation.' }) })

const tag = { name: 'Automations', description: 'Jobs that run on a schedule or when a branch changes.' }

export const automationOperations = defineOperations(tag, {
  listAutomations: {
    method: 'get',
    path: '/admin/v1/automations',
    summary: 'List automations',
    access: 'viewer',
    query: listQuerySchema.extend({
      site: z.string().max(200).optional().meta({ description: 'Only automations of this site, by id or slug.' }),
    }),
    replies: { 200: { description: 'Automations, ordered by id.', json: automationListSchema } },
    errors: [404],
  },
  createAutomation: {
    method: 'post',
    path: '/admin/v1/automations',
    summary: 'Create an automation',
    description:
      'An automation creates jobs on a schedule or when a branch changes. One that watches a branch reacts to changes after its current commit.',
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
    summary: 'Update an automation',
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
    description: 'Also deletes its runs. Jobs and pull requests are kept.',
    access: 'owner',
    audit: 'automation-deleted',
    params,
    replies: { 204: { description: 'The automation was deleted.' } },
  },
  runAutomation: {
    method: 'post',
    path: '/admin/v1/automations/{id}/run',
    summary: 'Run an automation',
    description:
      'Queues a run, even if the automation is disabled. Its limits apply. Takes no body. Repeating the request with the same `Idempotency-Key` returns the same run.',
    access: 'editor',
    audit: 'automation-run',
    params,
    headers: idempotencyHeaders,
    replies: { 201: { description: 'The run.', json: automationRunSchema } },
  },
  listAutomationRuns: {
    method: 'get',
    path: '/admin/v1/automations/{id}/runs',
    summary: 'List the runs of an automation',
    description: 'Runs are kept for 90 days.',
    access: 'viewer',
    params,
    query: listQuerySchema,
    replies: { 200: { description: 'Runs, newest first.', json: automationRunListSchema } },
  },
})

import { z } from 'zod'
import {
  discrepancyListSchema,
  discrepancyQuerySchema,
  discrepancySchema,
  discrepancyUpdateSchema,
} from '../discrepancies.ts'
import { defineOperations } from './operation.ts'
import { siteParams } from './params.ts'

const params = z.object({ id: z.string().meta({ description: 'Id of the discrepancy.' }) })

const tag = {
  name: 'Discrepancies',
  description: 'Outdated content in the documentation: drift from the product, contradictions and broken samples.',
}

export const discrepancyOperations = defineOperations(tag, {
  listAllDiscrepancies: {
    method: 'get',
    path: '/admin/v1/discrepancies',
    summary: 'List the discrepancies of all sites',
    access: 'viewer',
    query: discrepancyQuerySchema,
    replies: { 200: { description: 'Discrepancies, newest first.', json: discrepancyListSchema } },
  },
  listDiscrepancies: {
    method: 'get',
    path: '/admin/v1/sites/{id}/discrepancies',
    summary: 'List the discrepancies of a site',
    access: 'viewer',
    params: siteParams,
    query: discrepancyQuerySchema,
    replies: { 200: { description: 'Discrepancies, newest first.', json: discrepancyListSchema } },
  },
  updateDiscrepancy: {
    method: 'patch',
    path: '/admin/v1/discrepancies/{id}',
    summary: 'Ignore or reopen a discrepancy',
    description: 'A discrepancy closes automatically once the page or the product has changed.',
    access: 'editor',
    audit: 'discrepancy-changed',
    params,
    body: discrepancyUpdateSchema,
    replies: { 200: { description: 'The discrepancy.', json: discrepancySchema } },
    errors: [409],
  },
  createDiscrepancyJob: {
    method: 'post',
    path: '/admin/v1/discrepancies/{id}/job',
    summary: 'Create a job for a discrepancy',
    description:
      'Creates an agent job that corrects the lines of the discrepancy. A certain replacement needs no model. Takes no body.',
    access: 'editor',
    audit: 'job-created',
    params,
    replies: { 201: { description: 'The discrepancy, with `jobId`.', json: discrepancySchema } },
    errors: [409, 422, 429],
  },
})

import { listQuerySchema } from '../admin.ts'
import { keyUsageListSchema, limitUsageListSchema } from '../usage.ts'
import { defineOperations } from './operation.ts'

const tag = { name: 'Usage', description: 'Usage of limits.' }

export const usageOperations = defineOperations(tag, {
  listKeyUsage: {
    method: 'get',
    path: '/admin/v1/usage/keys',
    summary: 'List the usage of assistant keys',
    description: 'Answers that each assistant key has used in the current UTC month.',
    access: 'viewer',
    query: listQuerySchema,
    replies: { 200: { description: 'Usage by key, newest key first.', json: keyUsageListSchema } },
  },
  listLimitUsage: {
    method: 'get',
    path: '/admin/v1/usage/limits',
    summary: 'List the usage of limits',
    description: 'Usage of each limit of the organization in its current window.',
    access: 'viewer',
    replies: { 200: { description: 'Usage by limit.', json: limitUsageListSchema } },
  },
})

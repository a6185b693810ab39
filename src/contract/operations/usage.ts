import { listQuerySchema } from '../admin.ts'
import { keyUsageListSchema, limitUsageListSchema } from '../usage.ts'
import { defineOperations } from './operation.ts'

export const usageOperations = defineOperations(
  { name: 'Usage', description: 'What is used of the limits.' },
  {
    listKeyUsage: {
      method: 'get',
      path: '/admin/v1/usage/keys',
      summary: 'Use of assistant keys',
      description: 'What each assistant key has used of its answers in this UTC month.',
      access: 'viewer',
      query: listQuerySchema,
      replies: { 200: { description: 'Keys, the newest first.', json: keyUsageListSchema } },
    },
    listLimitUsage: {
      method: 'get',
      path: '/admin/v1/usage/limits',
      summary: 'Use of the limits',
      description: 'What is used of each limit of the organization, in the window that runs now.',
      access: 'viewer',
      replies: { 200: { description: 'The limits.', json: limitUsageListSchema } },
    },
  },
)

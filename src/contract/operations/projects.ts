import { listQuerySchema, projectListSchema } from '../admin.ts'
import { defineOperations } from './operation.ts'

export const projectOperations = defineOperations(
  { name: 'Projects', description: 'What sites belong to.' },
  {
    listProjects: {
      method: 'get',
      path: '/admin/v1/projects',
      summary: 'List projects',
      access: 'viewer',
      query: listQuerySchema,
      replies: { 200: { description: 'Projects by id.', json: projectListSchema } },
    },
  },
)

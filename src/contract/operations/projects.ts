import { listQuerySchema, projectListSchema } from '../admin.ts'
import { defineOperations } from './operation.ts'

const tag = { name: 'Projects', description: 'Projects, which group sites.' }

export const projectOperations = defineOperations(tag, {
  listProjects: {
    method: 'get',
    path: '/admin/v1/projects',
    summary: 'List projects',
    access: 'viewer',
    query: listQuerySchema,
    replies: { 200: { description: 'Projects, ordered by id.', json: projectListSchema } },
  },
})

import { homeQuerySchema, homeSchema } from '../home.ts'
import { defineOperations } from './operation.ts'

const tag = { name: 'Home', description: 'What needs somebody, and how the sites do.' }

export const homeOperations = defineOperations(tag, {
  getHome: {
    method: 'get',
    path: '/admin/v1/home',
    summary: 'Get what needs somebody, and how the sites do',
    description: 'Calls no model and no host: it reads what their last use has left.',
    access: 'viewer',
    query: homeQuerySchema,
    replies: { 200: { description: 'Needs of all sites, and the activity of each.', json: homeSchema } },
  },
})

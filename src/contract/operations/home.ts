import { homeQuerySchema, homeSchema } from '../home.ts'
import { defineOperations } from './operation.ts'

const tag = { name: 'Home', description: 'What needs attention, and how the sites are doing.' }

export const homeOperations = defineOperations(tag, {
  getHome: {
    method: 'get',
    path: '/admin/v1/home',
    summary: 'Get what needs attention, and how the sites are doing',
    description: 'Calls no model and no host: it uses the results of their last use.',
    access: 'viewer',
    query: homeQuerySchema,
    replies: { 200: { description: 'What needs attention on all sites, and the activity of each.', json: homeSchema } },
  },
})

import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import { feedbackListSchema } from '../feedback.ts'
import { defineOperations } from './operation.ts'

export const feedbackOperations = defineOperations(
  { name: 'Feedback', description: 'What readers say of answers.' },
  {
    listFeedback: {
      method: 'get',
      path: '/admin/v1/feedback',
      summary: 'List feedback',
      access: 'viewer',
      query: listQuerySchema.extend({
        siteId: z.string().optional().meta({ description: 'Only feedback on this site, by id or slug.' }),
        helpful: z.enum(['true', 'false']).optional().meta({ description: 'Only what helped, or only what did not.' }),
      }),
      replies: { 200: { description: 'Feedback, newest first.', json: feedbackListSchema } },
      errors: [404],
    },
  },
)

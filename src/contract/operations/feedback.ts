import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import { feedbackListSchema } from '../feedback.ts'
import { defineOperations } from './operation.ts'

const tag = { name: 'Feedback', description: "Readers' feedback on answers and pages." }

export const feedbackOperations = defineOperations(tag, {
  listFeedback: {
    method: 'get',
    path: '/admin/v1/feedback',
    summary: 'List feedback',
    access: 'viewer',
    query: listQuerySchema.extend({
      siteId: z.string().optional().meta({ description: 'Only feedback on this site, by id or slug.' }),
      helpful: z
        .enum(['true', 'false'])
        .optional()
        .meta({ description: 'Only positive (`true`) or only negative (`false`) feedback.' }),
      about: z.enum(['answer', 'page']).optional().meta({ description: 'Only feedback on answers, or on pages.' }),
    }),
    replies: { 200: { description: 'Feedback, newest first.', json: feedbackListSchema } },
    errors: [404],
  },
})

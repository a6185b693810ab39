import { z } from 'zod'
import { threadListSchema, threadQuerySchema, transcriptSchema } from '../threads.ts'
import { listQuerySchema } from '../admin.ts'
import { defineOperations } from './operation.ts'
import { siteParams } from './params.ts'

const params = siteParams.extend({ threadId: z.string() })

export const threadOperations = defineOperations(
  { name: 'Threads', description: 'Conversations as they were stored.' },
  {
    listThreads: {
      method: 'get',
      path: '/admin/v1/sites/{id}/threads',
      summary: 'List the conversations of a site',
      access: 'viewer',
      params: siteParams,
      query: threadQuerySchema,
      replies: { 200: { description: 'Threads, last answered first.', json: threadListSchema } },
    },
    getThread: {
      method: 'get',
      path: '/admin/v1/sites/{id}/threads/{threadId}',
      summary: 'Read a conversation',
      description: '`limit` and `cursor` page through its messages.',
      access: 'viewer',
      params,
      query: listQuerySchema,
      replies: { 200: { description: 'The thread and its messages.', json: transcriptSchema } },
    },
    deleteThread: {
      method: 'delete',
      path: '/admin/v1/sites/{id}/threads/{threadId}',
      summary: 'Delete a conversation',
      description: 'Deletes its messages and the feedback on them as well.',
      access: 'owner',
      audit: 'thread-deleted',
      params,
      replies: { 204: { description: 'It is gone.' } },
    },
  },
)

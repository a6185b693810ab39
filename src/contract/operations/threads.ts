import { z } from 'zod'
import { listQuerySchema } from '../admin.ts'
import { threadListSchema, threadQuerySchema, transcriptSchema } from '../threads.ts'
import { defineOperations } from './operation.ts'
import { siteParams } from './params.ts'

const params = siteParams.extend({ threadId: z.string().meta({ description: 'Id of the thread.' }) })

const tag = { name: 'Threads', description: 'Stored conversations with readers.' }

export const threadOperations = defineOperations(tag, {
  listThreads: {
    method: 'get',
    path: '/admin/v1/sites/{id}/threads',
    summary: 'List the threads of a site',
    access: 'viewer',
    params: siteParams,
    query: threadQuerySchema,
    replies: { 200: { description: 'Threads, most recently answered first.', json: threadListSchema } },
  },
  getThread: {
    method: 'get',
    path: '/admin/v1/sites/{id}/threads/{threadId}',
    summary: 'Get a thread',
    description: '`limit` and `cursor` page through the messages.',
    access: 'viewer',
    params,
    query: listQuerySchema,
    replies: { 200: { description: 'The thread and its messages.', json: transcriptSchema } },
  },
  deleteThread: {
    method: 'delete',
    path: '/admin/v1/sites/{id}/threads/{threadId}',
    summary: 'Delete a thread',
    description: 'Also deletes its messages and the feedback on them.',
    access: 'owner',
    audit: 'thread-deleted',
    params,
    replies: { 204: { description: 'The thread was deleted.' } },
  },
})

import { z } from 'zod'
import {
  handOverCreateSchema,
  handOverListSchema,
  handOverQuerySchema,
  handOverReplySchema,
  handOverSchema,
  handOverUpdateSchema,
} from '../hand-over.ts'
import { defineOperations } from './operation.ts'
import { domainParams, siteParams } from './params.ts'

const params = siteParams.extend({ handOverId: z.string() })

const tag = { name: 'Hand-overs', description: "Readers' messages to the people behind a site." }

export const handOverOperations = defineOperations(tag, {
  createHandOver: {
    method: 'post',
    path: '/discovery/v2/assistant/{domain}/hand-over',
    summary: 'Send a message to the people behind a site',
    description:
      'Only if the owner has turned it on. The message is stored, then sent to the recipients that the owner chose.',
    access: 'reader',
    countsAs: 'hand-over',
    params: domainParams,
    body: handOverCreateSchema,
    replies: { 200: { description: 'The message is stored.', json: handOverReplySchema } },
  },
  listHandOvers: {
    method: 'get',
    path: '/admin/v1/sites/{id}/hand-overs',
    summary: "List readers' messages",
    access: 'viewer',
    params: siteParams,
    query: handOverQuerySchema,
    replies: { 200: { description: 'Messages, newest first.', json: handOverListSchema } },
  },
  updateHandOver: {
    method: 'patch',
    path: '/admin/v1/sites/{id}/hand-overs/{handOverId}',
    summary: 'Mark a message as done or new',
    access: 'editor',
    audit: 'hand-over-changed',
    params,
    body: handOverUpdateSchema,
    replies: { 200: { description: 'The message.', json: handOverSchema } },
  },
  retryHandOver: {
    method: 'post',
    path: '/admin/v1/sites/{id}/hand-overs/{handOverId}/retry',
    summary: 'Send a message again',
    description: 'Queues its e-mails and issues that failed.',
    access: 'editor',
    audit: 'hand-over-retried',
    params,
    replies: { 200: { description: 'The message.', json: handOverSchema } },
  },
  deleteHandOver: {
    method: 'delete',
    path: '/admin/v1/sites/{id}/hand-overs/{handOverId}',
    summary: 'Delete a message',
    access: 'owner',
    audit: 'hand-over-deleted',
    params,
    replies: { 204: { description: 'The message was deleted.' } },
  },
})

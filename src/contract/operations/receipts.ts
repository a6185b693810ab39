import { z } from 'zod'
import { receiptKeySchema, receiptSchema, replaySchema, threadKeySchema } from '../receipts.ts'
import { defineOperations } from './operation.ts'
import { domainParams, siteParams } from './params.ts'

const answerParams = {
  threadId: z.string().meta({ description: 'Id of the thread.' }),
  messageId: z.string().meta({ description: 'Id of the answer.' }),
}
const path = 'threads/{threadId}/messages/{messageId}/receipt'

const tag = { name: 'Receipts', description: 'Signed answers, which can be checked with git alone.' }

export const receiptOperations = defineOperations(tag, {
  getReceipt: {
    method: 'get',
    path: `/discovery/v2/assistant/{domain}/${path}`,
    summary: 'Get the receipt of an answer',
    description:
      'For the holder of the thread key. Readers who may see fewer pages than the one who asked get 404. Counts as a search.',
    access: 'reader',
    countsAs: 'search',
    params: domainParams.extend(answerParams),
    headers: threadKeySchema,
    replies: { 200: { description: 'The answer as stored, with its signature.', json: receiptSchema } },
  },
  getAnswerReceipt: {
    method: 'get',
    path: `/admin/v1/sites/{id}/${path}`,
    summary: 'Get the receipt of any answer',
    access: 'viewer',
    params: siteParams.extend(answerParams),
    replies: { 200: { description: 'The answer as stored, with its signature.', json: receiptSchema } },
  },
  replayAnswer: {
    method: 'get',
    path: `/admin/v1/sites/{id}/threads/{threadId}/messages/{messageId}/replay`,
    summary: 'Answer a stored question again',
    description:
      'With the offline model, from the index that the answer came from and from today’s. Stores and costs nothing.',
    access: 'viewer',
    params: siteParams.extend(answerParams),
    replies: { 200: { description: 'Both answers, and what is no longer available.', json: replaySchema } },
  },
  getReceiptKey: {
    method: 'get',
    path: '/.well-known/docent-receipt-key.json',
    summary: 'Get the public key of receipts',
    description: 'Keep a copy with your receipts: it verifies them even when this service is gone.',
    access: 'public',
    replies: { 200: { description: 'The key.', json: receiptKeySchema } },
  },
})

import { explainSearchRequestSchema, explainSearchSchema } from '../explain-search.ts'
import { playgroundModelListSchema, playgroundRequestSchema } from '../playground.ts'
import { defineOperations, messageBytesMax } from './operation.ts'
import { siteParams } from './params.ts'

const tag = { name: 'Playground', description: 'Try out answers and searches.' }

export const playgroundOperations = defineOperations(tag, {
  listPlaygroundModels: {
    method: 'get',
    path: '/admin/v1/playground-models',
    summary: 'List playground models',
    description: 'Lists the models configured in this installation, starting with the one that answers readers.',
    access: 'viewer',
    replies: { 200: { description: 'The models.', json: playgroundModelListSchema } },
  },
  tryAnswer: {
    method: 'post',
    path: '/admin/v1/sites/{id}/playground',
    summary: 'Try an answer',
    description:
      'Answers as for readers, with the same engine and stream format (AI SDK 5 to 7). Settings in the request override those of the site. The stream also contains `data-docent-step`, `data-docent-verdict`, `data-docent-timings` and `data-docent-cost`. The answer is not stored as a thread or counted as a question, but its cost is counted.',
    access: 'editor',
    params: siteParams,
    body: playgroundRequestSchema,
    bodyBytesMax: messageBytesMax,
    replies: { 200: { description: 'The streamed answer.', text: ['text/event-stream'] } },
  },
  explainSearch: {
    method: 'post',
    path: '/admin/v1/sites/{id}/explain-search',
    summary: 'Explain a search',
    description: 'Searches as readers do and explains the rank of each hit. Counts against no limit.',
    access: 'editor',
    params: siteParams,
    body: explainSearchRequestSchema,
    replies: { 200: { description: 'The explained search.', json: explainSearchSchema } },
  },
})

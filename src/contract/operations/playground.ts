import { explainSearchRequestSchema, explainSearchSchema } from '../explain-search.ts'
import { playgroundModelListSchema, playgroundRequestSchema } from '../playground.ts'
import { defineOperations, messageBytesMax } from './operation.ts'
import { siteParams } from './params.ts'

export const playgroundOperations = defineOperations(
  { name: 'Playground', description: 'Answers that are tried out.' },
  {
    listPlaygroundModels: {
      method: 'get',
      path: '/admin/v1/playground-models',
      summary: 'List the models that the playground takes',
      description: 'Those that this installation is configured with; the one that answers readers first.',
      access: 'viewer',
      replies: { 200: { description: 'The models.', json: playgroundModelListSchema } },
    },
    tryAnswer: {
      method: 'post',
      path: '/admin/v1/sites/{id}/playground',
      summary: 'Try an answer',
      description:
        'Answers as readers are answered, with the same engine and the same stream (AI SDK 5 to 7), and with other settings where the request names them. The stream also carries `data-docent-step`, `data-docent-verdict`, `data-docent-timings` and `data-docent-cost`. Nothing of it is stored as a conversation or counted as a question; what it costs is.',
      access: 'editor',
      params: siteParams,
      body: playgroundRequestSchema,
      bodyBytesMax: messageBytesMax,
      replies: { 200: { description: 'The answer, streamed.', text: ['text/event-stream'] } },
    },
    explainSearch: {
      method: 'post',
      path: '/admin/v1/sites/{id}/explain-search',
      summary: 'Explain a search',
      description:
        'Searches as readers do and says, for each hit, where its place comes from. Counts against no limit.',
      access: 'editor',
      params: siteParams,
      body: explainSearchRequestSchema,
      replies: { 200: { description: 'The search.', json: explainSearchSchema } },
    },
  },
)

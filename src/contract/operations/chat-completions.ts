import { z } from 'zod'
import { chatCompletionRequestSchema } from '../chat-completion-request.ts'
import { chatCompletionSchema, chatModelId, chatModelListSchema, chatModelSchema } from '../chat-completion.ts'
import { defineOperations, messageBytesMax } from './operation.ts'

const tag = {
  name: 'OpenAI compatibility',
  description: "The part of OpenAI's API that chat front ends use. The key decides which site answers.",
}

const idHeader = (max: number, description: string) => z.string().min(1).max(max).optional().meta({ description })

export const chatCompletionOperations = defineOperations(tag, {
  createChatCompletion: {
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'Create a chat completion',
    description:
      'Answers the newest user message from the pages of the site. With `stream`, the reply is server-sent events that end with `data: [DONE]`. Fields that are not listed are accepted and ignored. Keys that always require a session are refused: use a key for servers.',
    access: 'reader',
    countsAs: 'completion',
    headers: z.object({
      'X-Thread-Id': idHeader(128, 'The thread to continue, if the body names none.'),
      'X-OpenWebUI-Chat-Id': idHeader(128, 'Same as `X-Thread-Id`; sent by Open WebUI.'),
      'X-OpenWebUI-User-Id': idHeader(256, 'Same as `user` in the body; sent by Open WebUI.'),
    }),
    body: chatCompletionRequestSchema,
    questionFormat: 'chat',
    bodyBytesMax: messageBytesMax,
    handlerReadsBody: true,
    replies: {
      200: {
        description:
          'The completion, or its chunks. The header `X-Thread-Id` identifies its thread; the first answer of a thread also has `X-Thread-Key`.',
        json: chatCompletionSchema,
        text: ['text/event-stream'],
      },
    },
  },
  listChatModels: {
    method: 'get',
    path: '/v1/models',
    summary: 'List the models',
    description: `There is one, \`${chatModelId}\`: which model answers is set by the owner.`,
    access: 'reader',
    replies: { 200: { description: 'The models.', json: chatModelListSchema } },
  },
  getChatModel: {
    method: 'get',
    path: '/v1/models/{model}',
    summary: 'Get a model',
    access: 'reader',
    params: z.object({ model: z.string() }),
    replies: { 200: { description: 'The model.', json: chatModelSchema } },
  },
})

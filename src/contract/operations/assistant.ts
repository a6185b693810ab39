import { z } from 'zod'
import { assistantRequestV1Schema, assistantRequestV2Schema } from '../assistant-request.ts'
import { feedbackCreateSchema, feedbackReplySchema } from '../feedback.ts'
import { readerSessionRequestSchema, readerSessionSchema } from '../reader-session.ts'
import { stopResultSchema } from '../streams.ts'
import { defineOperations, messageBytesMax } from './operation.ts'
import { domainParams } from './params.ts'

const params = z.object({
  domain: z.string().meta({ description: "The site's slug or one of its host names." }),
  chatId: z.string().meta({ description: 'The `id` of the body that asked.' }),
})

const tag = { name: 'Assistant', description: 'Ask questions; answers are streamed.' }

export const assistantOperations = defineOperations(tag, {
  askQuestionV1: {
    method: 'post',
    path: '/discovery/v1/assistant/{domain}/message',
    summary: 'Ask a question (AI SDK 4)',
    description: 'Answers with the data stream of the AI SDK 4, from 4.1.15 on. New clients use version 2.',
    deprecated: true,
    access: 'reader',
    countsAs: 'answer',
    params: domainParams,
    body: assistantRequestV1Schema,
    questionVersion: 'v1',
    bodyBytesMax: messageBytesMax,
    handlerReadsBody: true,
    replies: {
      200: {
        description:
          'The answer, streamed. `X-Thread-Id` names its thread; the first answer of a thread also carries `X-Thread-Key`.',
        text: ['text/plain'],
      },
    },
  },
  askQuestion: {
    method: 'post',
    path: '/discovery/v2/assistant/{domain}/message',
    summary: 'Ask a question (AI SDK 5, 6 and 7)',
    description:
      'Answers with the UI message stream of the AI SDK: server-sent events that end with `data: [DONE]`. An answer whose body names a chat in `id`, as the AI SDK always does, can be resumed.',
    access: 'reader',
    countsAs: 'answer',
    params: domainParams,
    body: assistantRequestV2Schema,
    questionVersion: 'v2',
    bodyBytesMax: messageBytesMax,
    handlerReadsBody: true,
    replies: {
      200: {
        description:
          'The answer, streamed. `X-Thread-Id` names its thread; the first answer of a thread also carries `X-Thread-Key`.',
        text: ['text/event-stream'],
      },
    },
  },
  resumeAnswer: {
    method: 'get',
    path: '/discovery/v2/assistant/{domain}/message/{chatId}/stream',
    summary: 'Resume an answer',
    description:
      'The newest answer of a chat, from its first frame on, and then live. Only for the key and the address that asked, and not once another `fp` or address has used the chat id. Kept for five minutes after the end of an answer that no reader had whole, else for one.',
    access: 'reader',
    params,
    replies: {
      200: { description: 'The answer, streamed.', text: ['text/event-stream'] },
      204: { description: 'There is nothing to resume.' },
    },
  },
  stopAnswer: {
    method: 'post',
    path: '/discovery/v2/assistant/{domain}/message/{chatId}/stop',
    summary: 'Stop an answer',
    description:
      "Ends the chat's running answer at once, wherever it runs; its readers see an `abort` frame. For the key and the address that asked. Takes no body.",
    access: 'reader',
    params,
    replies: { 200: { description: 'What was found.', json: stopResultSchema } },
  },
  createReaderSession: {
    method: 'post',
    path: '/discovery/v2/session/{domain}',
    summary: 'Get a session for a browser',
    description:
      'Needed only for keys that require sessions; other keys get one too. While the network of the client exceeds its usual rate, the reply is a puzzle; send its solution to get the session. A session is valid for one key and one network (an IPv4 address or an IPv6 /64), for ten minutes.',
    access: 'reader',
    params: domainParams,
    body: readerSessionRequestSchema,
    isBodyOptional: true,
    replies: { 200: { description: 'The session, or a puzzle.', json: readerSessionSchema } },
  },
  giveFeedback: {
    method: 'post',
    path: '/discovery/v2/assistant/{domain}/feedback',
    summary: 'Say whether an answer helped',
    description: 'One per answer and `fp`: saying it again changes it. Counts against a limit of its own.',
    access: 'reader',
    countsAs: 'feedback',
    params: domainParams,
    body: feedbackCreateSchema,
    replies: { 200: { description: 'As it is stored.', json: feedbackReplySchema } },
  },
})

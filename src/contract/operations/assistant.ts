import { z } from 'zod'
import { assistantRequestV1Schema, assistantRequestV2Schema } from '../assistant-request.ts'
import { feedbackCreateSchema, feedbackReplySchema } from '../feedback.ts'
import { readerSessionRequestSchema, readerSessionSchema } from '../reader-session.ts'
import { defineOperations, messageBytesMax } from './operation.ts'
import { domainParams } from './params.ts'

const stopResultSchema = z
  .object({
    stopped: z.boolean().meta({ description: 'Whether a running answer was stopped that this client may stop.' }),
  })
  .meta({ id: 'StopResult' })

const params = z.object({
  domain: z.string().meta({ description: "The site's slug or one of its host names." }),
  chatId: z.string().meta({ description: 'The `id` in the body of the question.' }),
})

const tag = { name: 'Assistant', description: 'Ask questions and receive streamed answers.' }

export const assistantOperations = defineOperations(tag, {
  askQuestionV1: {
    method: 'post',
    path: '/discovery/v1/assistant/{domain}/message',
    summary: 'Ask a question (AI SDK 4)',
    description:
      'Streams the answer in the data stream format of AI SDK 4 (4.1.15 and later). New clients should use version 2.',
    deprecated: true,
    access: 'reader',
    countsAs: 'answer',
    params: domainParams,
    body: assistantRequestV1Schema,
    questionFormat: 'v1',
    bodyBytesMax: messageBytesMax,
    handlerReadsBody: true,
    replies: {
      200: {
        description:
          'The streamed answer. The header `X-Thread-Id` identifies its thread; the first answer of a thread also has `X-Thread-Key`.',
        text: ['text/plain'],
      },
    },
  },
  askQuestion: {
    method: 'post',
    path: '/discovery/v2/assistant/{domain}/message',
    summary: 'Ask a question (AI SDK 5, 6 and 7)',
    description:
      "Streams the answer in the UI message stream format of the AI SDK: server-sent events that end with `data: [DONE]`. The answer can be resumed if the body has the chat's `id`, which the AI SDK always sends.",
    access: 'reader',
    countsAs: 'answer',
    params: domainParams,
    body: assistantRequestV2Schema,
    questionFormat: 'v2',
    bodyBytesMax: messageBytesMax,
    handlerReadsBody: true,
    replies: {
      200: {
        description:
          'The streamed answer. The header `X-Thread-Id` identifies its thread; the first answer of a thread also has `X-Thread-Key`.',
        text: ['text/event-stream'],
      },
    },
  },
  resumeAnswer: {
    method: 'get',
    path: '/discovery/v2/assistant/{domain}/message/{chatId}/stream',
    summary: 'Resume an answer',
    description:
      'Streams the newest answer of a chat from its first frame, then live. Available only to the key and client address that asked, until another `fp` or address uses the same chat id. An answer can be resumed for one minute after it ends, or for five minutes if no client received it in full.',
    access: 'reader',
    params,
    replies: {
      200: { description: 'The streamed answer.', text: ['text/event-stream'] },
      204: { description: 'There is no answer to resume.' },
    },
  },
  stopAnswer: {
    method: 'post',
    path: '/discovery/v2/assistant/{domain}/message/{chatId}/stop',
    summary: 'Stop an answer',
    description:
      "Ends the chat's running answer immediately, whichever process streams it; its clients receive an `abort` frame. Available only to the key and client address that asked. Takes no body.",
    access: 'reader',
    params,
    replies: { 200: { description: 'Whether an answer was stopped.', json: stopResultSchema } },
  },
  createReaderSession: {
    method: 'post',
    path: '/discovery/v2/session/{domain}',
    summary: 'Create a session for a browser',
    description:
      "Needed only for keys that require sessions, but works with all assistant keys. While the client's network exceeds its normal request rate, the reply is a puzzle: send its solution to get the session. A session is valid for ten minutes, for one key and one network (an IPv4 address or an IPv6 /64).",
    access: 'reader',
    params: domainParams,
    body: readerSessionRequestSchema,
    isBodyOptional: true,
    replies: { 200: { description: 'The session, or a puzzle.', json: readerSessionSchema } },
  },
  giveFeedback: {
    method: 'post',
    path: '/discovery/v2/assistant/{domain}/feedback',
    summary: 'Give feedback on an answer',
    description: 'Each `fp` has one feedback per answer; sending it again replaces it. Has a rate limit of its own.',
    access: 'reader',
    countsAs: 'feedback',
    params: domainParams,
    body: feedbackCreateSchema,
    replies: { 200: { description: 'The feedback.', json: feedbackReplySchema } },
  },
})

import { z } from 'zod'
import {
  type AssistantQuestion,
  fpCharsMax,
  isUserMessage,
  questionFields,
  questionMessagesMax,
  readQuestion,
  refuseQuestion,
  threadIdCharsMax,
  threadKeyCharsMax,
} from './assistant-request.ts'
import { cutText } from './cut-text.ts'
import { readErrorDetails } from './error-details.ts'
import { writeTaskReply } from './front-end-task.ts'
import { withoutLinkList } from './link-list.ts'

/** A chat completion request: the question, and how to reply. */
export interface ChatQuestion extends AssistantQuestion {
  streams: boolean
  /** Whether a stream ends with the token counts. */
  includesUsage: boolean
  /** The reply to a front end that wants something for itself, such as a title; null for a reader's question. */
  taskReply: string | null
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const
const textParts: ReadonlySet<string> = new Set(['text', 'input_text', 'output_text'])
const fileParts: ReadonlySet<string> = new Set(['image_url', 'file'])
const noMessages = 'messages must be an array of at least one message.'

const partSchema = z.looseObject(
  {
    type: z.string('A part must have a type.'),
    text: z.string('The text of a part must be a string.').optional(),
    image_url: z.looseObject({ url: z.string('The url of a picture must be a string.') }).optional(),
    file: z.looseObject({ file_data: z.string().nullish(), filename: z.string().nullish() }).optional(),
  },
  'A part of content must be an object with a type.',
)

const messageSchema = z.looseObject(
  {
    role: z.enum(roles, `role must be one of ${roles.join(', ')}.`),
    content: z
      .union([z.string(), z.array(partSchema)], 'content must be a string or an array of parts.')
      .nullish()
      .meta({
        description:
          'Text, or parts of type `text`, `image_url` and `file`. Images and files are read only from the newest user message, and only as `data:` URLs. Other parts in that message are refused.',
      }),
  },
  'A message must be an object with a role and content.',
)

/**
 * The fields that are read. All others of OpenAI's API are accepted and ignored, because front ends send them whether or
 * not they matter: sampling, length limits, tools.
 */
export const chatCompletionRequestSchema = z.looseObject(
  {
    messages: z
      .array(messageSchema, noMessages)
      .min(1, noMessages)
      .meta({
        description: `The conversation, oldest first; the newest ${questionMessagesMax} count. The newest user message is the question. System and developer messages are ignored: the site's owner sets the instructions.`,
      }),
    model: z
      .string('model must be a string.')
      .nullish()
      .meta({ description: 'Ignored: the key decides the site, and the owner the model.' }),
    stream: z.boolean('stream must be true or false.').nullish(),
    stream_options: z
      .looseObject({ include_usage: z.boolean().nullish() }, 'stream_options must be an object.')
      .nullish(),
    n: z.literal(1, 'n must be 1: there is one answer.').nullish(),
    tool_choice: z
      .enum(['none', 'auto'], 'tool_choice must be none or auto: the tools of a request are never called.')
      .nullish(),
    response_format: z
      .looseObject({ type: z.literal('text', 'must be text: answers are Markdown.') }, 'must be an object with a type.')
      .nullish(),
    user: z
      .string('user must be a string.')
      .nullish()
      .meta({ description: `Identifier of the reader; at most ${fpCharsMax} characters count. Default: anonymous.` }),
    metadata: z
      .looseObject(
        {
          thread_id: z
            .string('must be a string.')
            .max(threadIdCharsMax, `must have at most ${threadIdCharsMax} characters.`)
            .nullish(),
          thread_key: z
            .string('must be a string.')
            .max(threadKeyCharsMax, `must have at most ${threadKeyCharsMax} characters.`)
            .nullish(),
        },
        'metadata must be an object.',
      )
      .nullish()
      .meta({ description: '`thread_id` is the thread to continue, and `thread_key` its key, if one is sent.' }),
    filter: questionFields.filter,
    currentPath: questionFields.currentPath,
  },
  'The body must be a JSON object with messages.',
)

type ChatRequest = z.infer<typeof chatCompletionRequestSchema>
type ChatMessage = ChatRequest['messages'][number]
type ChatPart = z.infer<typeof partSchema>

/** @throws {AppError} `invalid_request` with the place of each fault; `question_too_long`. */
export function readChatQuestion(body: unknown): ChatQuestion {
  const parsed = chatCompletionRequestSchema.safeParse(dropOldContent(body))
  if (!parsed.success) throw refuseQuestion(readErrorDetails(parsed.error))
  const { messages, stream, stream_options: options, ...request } = parsed.data
  refuseOtherMedia(messages)
  const streams = stream ?? false
  const question = readQuestion('v2', {
    fp: cutText(request.user ?? '', fpCharsMax) || 'anonymous',
    threadId: request.metadata?.thread_id,
    threadKey: request.metadata?.thread_key,
    filter: request.filter,
    currentPath: request.currentPath,
    // Front ends show answers on hosts of their own.
    links: 'absolute',
    // Chunks that were sent cannot be taken back.
    accept: streams ? [] : ['reset-step'],
    messages: messages.map(toMessage),
  })
  const taskReply = streams ? null : writeTaskReply(question.question)
  return { ...question, streams, includesUsage: options?.include_usage ?? false, taskReply }
}

/** Old messages are not read, and only counted: validating a long history costs more than parsing it. */
function dropOldContent(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('messages' in body) || !Array.isArray(body.messages)) return body
  const messages: readonly unknown[] = body.messages
  const kept = messages.length - questionMessagesMax
  const drop = (message: unknown) => ({ role: isUserMessage(message) ? 'user' : 'assistant' })
  return { ...body, messages: messages.map((message, index) => (index < kept ? drop(message) : message)) }
}

/** Only in the question itself: a front end repeats earlier messages, which another model may have answered. */
function refuseOtherMedia(messages: readonly ChatMessage[]): void {
  const last = messages.findLastIndex(isUserMessage)
  const content = messages[last]?.content
  if (!Array.isArray(content)) return
  const index = content.findIndex(({ type }) => !textParts.has(type) && !fileParts.has(type))
  if (index < 0) return
  const message = `Only text, pictures and files can be read. Remove the part of type ${cutText(content[index]?.type ?? '', 40)}, and describe it in words.`
  throw refuseQuestion([{ path: `messages.${last}.content.${index}`, message }])
}

function toMessage({ role, content }: ChatMessage) {
  const parts: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  return {
    role: role === 'user' || role === 'assistant' ? role : 'system',
    parts: parts.flatMap((part) => toPart(part, role)),
  }
}

/** Parts as `readQuestion` takes them. */
function toPart({ type, text = '', image_url: image, file }: ChatPart, role: ChatMessage['role']): object[] {
  if (textParts.has(type)) return [{ type: 'text', text: role === 'assistant' ? withoutLinkList(text) : text }]
  if (image !== undefined) return [{ type: 'file', url: image.url }]
  return file === undefined ? [] : [{ type: 'file', url: file.file_data, filename: file.filename }]
}

import { z } from 'zod'
import { AppError, type ErrorDetail } from './app-error.ts'
import { readErrorDetails } from './error-details.ts'
import { isSdkRequest, readTrigger, type ChatTrigger } from './sdk-request.ts'
import { toStorableText } from './storable-json.ts'

/** v1 speaks the data stream of the AI SDK 4, v2 the UI message stream of the AI SDK 5 to 7. */
export type AssistantVersion = 'v1' | 'v2'

const questionMessagesMax = 40
const retrievalPageSizeDefault = 5
const retrievalPageSizeMax = 50
const chatIdCharsMax = 256

/** A message of the conversation, reduced to its text. */
export interface QuestionMessage {
  role: 'user' | 'assistant'
  text: string
}

/** Text from the page that the reader is on. */
export interface QuestionContext {
  type: 'code' | 'textSelection'
  value: string
  path: string | null
  elementId: string | null
}

/** A part of the site that the answer is to be taken from; absent fields do not narrow. */
export interface QuestionFilter {
  version?: string
  language?: string
  tag?: string
  groups?: string[]
}

/** A request of either version, in one shape. Its text holds no NUL and no half surrogate pair, which databases refuse. */
export interface AssistantQuestion {
  /** `anonymous` or a user's identifier. */
  fp: string
  threadId: string | null
  threadKey: string | null
  /** The client's own id of the chat, which it resumes by. */
  chatId: string | null
  trigger: ChatTrigger | null
  /** Most passages to retrieve, 1 to 50, whole. */
  retrievalPageSize: number
  filter: QuestionFilter
  context: QuestionContext[]
  currentPath: string | null
  /** Oldest first, at most the newest 40 that hold text. */
  messages: QuestionMessage[]
  /** The newest text of the user, trimmed; never empty. */
  question: string
  /** The place of the question among those of the user in the whole conversation that was sent, from 1. */
  turn: number
  isSdkClient: boolean
}

const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g

const nullableText = (name: string, max = Number.POSITIVE_INFINITY) => textSchema(name, 0, max).nullish()

/** Bounds count characters as people do, not the halves of surrogate pairs. */
function textSchema(name: string, min: number, max: number) {
  const hasAllowedLength = (text: string) =>
    text.length >= min && (text.length <= max || text.replace(surrogatePairs, '_').length <= max)
  const bounds = min > 0 ? `${min} to ${max}` : `at most ${max}`
  return z.string(`${name} must be a string.`).refine(hasAllowedLength, `${name} must have ${bounds} characters.`)
}

const contextSchema = z.looseObject(
  {
    type: z.enum(['code', 'textSelection'], 'The type of a context entry must be "code" or "textSelection".'),
    value: z
      .string('The value of a context entry must be a string.')
      .meta({ description: 'The text that the reader selected.' }),
    path: nullableText('path').meta({ description: 'The page that it stands on.' }),
    elementId: nullableText('elementId'),
  },
  'An entry of context must be an object with type and value.',
)

const filterSchema = z.looseObject(
  {
    version: nullableText('version').meta({ description: 'Only pages of this version.' }),
    language: nullableText('language').meta({ description: 'Only pages of this language.' }),
    tag: nullableText('tag').meta({ description: 'Only pages with this tag.' }),
    groups: z
      .array(z.string('A group must be a string.'), 'groups must be an array of strings.')
      .nullish()
      .meta({ description: 'Only pages that need no group or one of these. Narrows what the reader may see.' }),
  },
  'filter must be an object or null.',
)

/** Parts of every type are taken, because clients send their whole history back; only the text of text parts is read. */
const partSchema = z
  .looseObject({ type: z.string('A part must have a type.') }, 'A part must be an object with a type.')
  .refine((part) => part.type !== 'text' || typeof part['text'] === 'string', {
    error: 'The text of a text part must be a string.',
    path: ['text'],
  })
const partsSchema = z
  .array(partSchema, 'parts must be an array, such as [{ "type": "text", "text": "…" }].')
  .meta({ description: 'Parts of the type `text` are read by their `text`; others are taken and ignored.' })

const roles = ['user', 'assistant', 'system', 'data', 'tool'] as const
const roleSchema = z.enum(roles, `role must be one of ${roles.join(', ')}.`)
const messageMessage = 'A message must be an object with a role and its text.'

const messageV1Schema = z.looseObject(
  {
    role: roleSchema,
    content: nullableText('content').meta({ description: 'The text, where there are no text parts.' }),
    parts: partsSchema.nullish(),
  },
  messageMessage,
)
const messageV2Schema = z.looseObject({ role: roleSchema, parts: partsSchema }, messageMessage)

const shared = {
  fp: textSchema('fp', 1, 256).meta({
    description: '`anonymous` or an identifier of the user. 1 to 256 characters.',
  }),
  threadId: nullableText('threadId', 128).meta({
    description: 'The thread to continue; a new one without it. At most 128 characters.',
  }),
  threadKey: nullableText('threadKey', 256).meta({
    description: 'The `X-Thread-Key` of the thread. Where it is sent, it must match.',
  }),
  retrievalPageSize: z
    .number('retrievalPageSize must be a number.')
    .min(1, `retrievalPageSize must be at least 1; above ${retrievalPageSizeMax} it means ${retrievalPageSizeMax}.`)
    .nullish()
    .meta({
      description: `Most passages of a search; ${retrievalPageSizeDefault} without it, ${retrievalPageSizeMax} at the most.`,
    }),
  filter: filterSchema.nullish(),
  context: z
    .array(contextSchema, 'context must be an array.')
    .nullish()
    .meta({ description: 'What the reader has selected on the page.' }),
  currentPath: nullableText('currentPath', 200).meta({
    description: 'The page that the reader is on, preferred a little. At most 200 characters.',
  }),
}
const messagesMeta = { description: `The conversation, oldest first; the newest ${questionMessagesMax} count.` }
const noMessages = 'messages must be an array of at least one message.'
const bodyMessage = 'The body must be a JSON object with fp and messages.'

/** Validates and nothing more, so that an API description can be made of it; `readQuestion` gives the values meaning. */
export const assistantRequestV1Schema = z.looseObject(
  { ...shared, messages: z.array(messageV1Schema, noMessages).min(1, noMessages).meta(messagesMeta) },
  bodyMessage,
)
export const assistantRequestV2Schema = z.looseObject(
  { ...shared, messages: z.array(messageV2Schema, noMessages).min(1, noMessages).meta(messagesMeta) },
  bodyMessage,
)

type AssistantRequest = z.infer<typeof assistantRequestV1Schema> | z.infer<typeof assistantRequestV2Schema>
type RequestMessage = AssistantRequest['messages'][number]

/**
 * Reads the body of an assistant request.
 *
 * Messages without text and of other roles than user and assistant are dropped: a `system` message of a client is no
 * instruction of the site's owner. Of the rest, the newest 40 count. An empty `threadId` or `threadKey` means none.
 *
 * @param body What the JSON held.
 * @throws {AppError} `invalid_request` with the place of each fault.
 */
export function readQuestion(version: AssistantVersion, body: unknown): AssistantQuestion {
  const schema = version === 'v1' ? assistantRequestV1Schema : assistantRequestV2Schema
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw refuse(readErrorDetails(parsed.error))
  const request: AssistantRequest = parsed.data
  const messages = readMessages(request.messages)
  const question = messages.findLast(({ role }) => role === 'user')?.text.trim()
  if (question === undefined) {
    throw refuse([{ path: 'messages', message: 'messages must hold text of the user: the question.' }])
  }
  return {
    ...readScalars(request),
    filter: readFilter(request.filter ?? {}),
    context: (request.context ?? []).map((entry) => readContext(entry)),
    messages: messages.slice(-questionMessagesMax),
    question,
    turn: messages.filter(({ role }) => role === 'user').length,
    isSdkClient: isSdkRequest(body),
  }
}

function refuse(details: ErrorDetail[]): AppError {
  const [first] = details
  const place = first?.path.includes('.') ? ` at ${first.path}` : ''
  return new AppError('invalid_request', `The request is not valid${place}: ${first?.message ?? ''}`, { details })
}

function readScalars(request: AssistantRequest) {
  const chatId = request['id']
  return {
    fp: toStorableText(request.fp),
    threadId: readText(request.threadId),
    threadKey: readText(request.threadKey),
    chatId: typeof chatId === 'string' && chatId.length <= chatIdCharsMax ? readText(chatId) : null,
    trigger: readTrigger(request),
    retrievalPageSize: Math.min(
      Math.floor(request.retrievalPageSize ?? retrievalPageSizeDefault),
      retrievalPageSizeMax,
    ),
    currentPath: readText(request.currentPath),
  }
}

function readFilter(filter: z.infer<typeof filterSchema>): QuestionFilter {
  const version = readText(filter.version)
  const language = readText(filter.language)
  const tag = readText(filter.tag)
  return {
    ...(version !== null && { version }),
    ...(language !== null && { language }),
    ...(tag !== null && { tag }),
    ...(filter.groups && { groups: filter.groups.map((group) => toStorableText(group)) }),
  }
}

function readContext({ type, value, path, elementId }: z.infer<typeof contextSchema>): QuestionContext {
  return { type, value: toStorableText(value), path: readText(path), elementId: readText(elementId) }
}

function readMessages(messages: readonly RequestMessage[]): QuestionMessage[] {
  return messages.flatMap((message) => {
    const { role } = message
    const text = readMessageText(message)
    return (role === 'user' || role === 'assistant') && text.trim() !== '' ? [{ role, text }] : []
  })
}

/** `content` is what clients before 4.1.20 send alone; newer ones repeat the text of their parts in it. */
function readMessageText(message: RequestMessage): string {
  const texts = (message.parts ?? []).flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' && text !== '' ? [text] : [],
  )
  const content = 'content' in message && typeof message.content === 'string' ? message.content : ''
  return toStorableText(texts.length > 0 ? texts.join('\n\n') : content)
}

function readText(text: string | null | undefined): string | null {
  return text ? toStorableText(text) || null : null
}

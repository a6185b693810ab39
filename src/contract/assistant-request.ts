import { z } from 'zod'
import { AppError, type ErrorDetail } from './app-error.ts'
import { readAttachments, type Attachment } from './attachments.ts'
import { groupDigits } from './count-of.ts'
import { cutMiddle, cutText } from './cut-text.ts'
import { readErrorDetails } from './error-details.ts'
import { isSdkRequest, readTrigger, sdkClient, type ChatTrigger } from './sdk-request.ts'
import { toStorableText } from './storable-json.ts'

/** v1 uses the data stream of AI SDK 4; v2 uses the UI message stream of AI SDK 5 to 7. */
export type AssistantVersion = 'v1' | 'v2'

/** Longer questions are refused; shorter ones may still be cut by `shortenQuestion`. */
export const questionCharsMax = 100_000
export const questionMessagesMax = 40
/** Most parts kept of one message, newest first: far more than any answer with all its steps has. */
export const partsMax = 200
/** Limits of the messages before the question, in total and each: about 12,000 and 4,000 tokens of English. */
export const historyCharsMax = 48_000
export const historyMessageCharsMax = 16_000
/** Limits of the reader's selections: entries, and characters of each. */
export const contextEntriesMax = 20
export const contextValueCharsMax = 8_000
const contextPathCharsMax = 1_000
const elementIdCharsMax = 200
export const filterCharsMax = 200
export const filterGroupsMax = 100
export const fpCharsMax = 256
export const threadIdCharsMax = 128
export const threadKeyCharsMax = 256
export const currentPathCharsMax = 200
/** Passages per search of a question that asks for no number. */
export const retrievalPageSizeDefault = 5
export const retrievalPageSizeMax = 50
const chatIdCharsMax = 256

const linkStyles = ['relative', 'absolute'] as const

/** Stream parts that only newer clients know, and get if they accept them. */
const acceptableParts = ['reset-step'] as const

/** How links in the text of an answer are written: from the root of the site's host, or with it. */
export type LinkStyle = (typeof linkStyles)[number]

/** A message of the conversation, reduced to its text. */
export interface QuestionMessage {
  role: 'user' | 'assistant'
  text: string
}

/** Text from the page that the reader is viewing. */
export interface QuestionContext {
  type: 'code' | 'textSelection'
  value: string
  path: string | null
  elementId: string | null
}

/** The part of the site to answer from; absent fields do not narrow it. */
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
  links: LinkStyle | null
  /** Empty in version 1, which has none of them. */
  accept: (typeof acceptableParts)[number][]
  /** Oldest first, ending with the question. At most 40, with at most 48,000 characters before the question. */
  messages: QuestionMessage[]
  /** The newest user text, trimmed; 1 to 100,000 characters. */
  question: string
  /** Position of the question among the user's messages of the whole conversation, from 1. */
  turn: number
  isSdkClient: boolean
  /** Files of the newest user message. */
  attachments: Attachment[]
}

const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g

const nullableText = (name: string, max = Number.POSITIVE_INFINITY) => textSchema(name, 0, max).nullish()

/** Counts code points, not UTF-16 code units. */
function textSchema(name: string, min: number, max: number) {
  const hasAllowedLength = (text: string) =>
    text.length >= min &&
    (text.length <= max || (text.length <= 2 * max && text.replace(surrogatePairs, '_').length <= max))
  const bounds = min > 0 ? `${min} to ${max}` : `at most ${max}`
  return z.string(`${name} must be a string.`).refine(hasAllowedLength, `${name} must have ${bounds} characters.`)
}

const contextSchema = z.looseObject(
  {
    type: z.enum(['code', 'textSelection'], 'The type of a context entry must be "code" or "textSelection".'),
    value: z
      .string('The value of a context entry must be a string.')
      .meta({ description: 'The text that the reader selected.' }),
    path: nullableText('path').meta({ description: 'The page it was selected on.' }),
    elementId: nullableText('elementId'),
  },
  'An entry of context must be an object with type and value.',
)

const filterSchema = z.looseObject(
  {
    version: nullableText('version', filterCharsMax).meta({ description: 'Only pages of this version.' }),
    language: nullableText('language', filterCharsMax).meta({ description: 'Only pages of this language.' }),
    tag: nullableText('tag', filterCharsMax).meta({ description: 'Only pages with this tag.' }),
    groups: z
      .array(textSchema('A group', 0, filterCharsMax), 'groups must be an array of strings.')
      .max(filterGroupsMax, `groups must have at most ${filterGroupsMax} entries.`)
      .nullish()
      .meta({
        description:
          'Only pages that require no group or one of these. Narrows what the reader may see, never widens it.',
      }),
  },
  'filter must be an object or null.',
)

/** Accepts parts of every type, because clients send their whole history back; only text parts are read. */
const partSchema = z
  .looseObject({ type: z.string('A part must have a type.') }, 'A part must be an object with a type.')
  .refine((part) => part.type !== 'text' || typeof part['text'] === 'string', {
    error: 'The text of a text part must be a string.',
    path: ['text'],
  })
const partsSchema = z.array(partSchema, 'parts must be an array, such as [{ "type": "text", "text": "…" }].').meta({
  description:
    'Parts of type `text` are read and, of the newest user message, those of type `file`. Others are accepted and ignored.',
})

const roles = ['user', 'assistant', 'system', 'data', 'tool'] as const
const roleSchema = z.enum(roles, `role must be one of ${roles.join(', ')}.`)
const messageMessage = 'A message must be an object with a role and its text.'

const messageV1Schema = z.looseObject(
  {
    role: roleSchema,
    content: nullableText('content').meta({ description: 'The text, if there are no text parts.' }),
    parts: partsSchema.nullish(),
  },
  messageMessage,
)
const messageV2Schema = z.looseObject({ role: roleSchema, parts: partsSchema }, messageMessage)

/** Fields of a question in every format. */
export const questionFields = {
  fp: textSchema('fp', 1, fpCharsMax).meta({
    description: `\`anonymous\` or an identifier of the user. 1 to ${fpCharsMax} characters.`,
  }),
  threadId: nullableText('threadId', threadIdCharsMax).meta({
    description: `The thread to continue; a new one if omitted. At most ${threadIdCharsMax} characters.`,
  }),
  threadKey: nullableText('threadKey', threadKeyCharsMax).meta({
    description: 'The `X-Thread-Key` of the thread. If sent, it must match.',
  }),
  retrievalPageSize: z
    .number('retrievalPageSize must be a number.')
    .min(1, `retrievalPageSize must be at least 1; above ${retrievalPageSizeMax} it means ${retrievalPageSizeMax}.`)
    .nullish()
    .meta({
      description: `Maximum number of passages per search. Default: ${retrievalPageSizeDefault}, maximum: ${retrievalPageSizeMax}.`,
    }),
  filter: filterSchema.nullish(),
  context: z
    .array(contextSchema, 'context must be an array.')
    .nullish()
    .meta({
      description: `What the reader has selected on the page: the first ${contextEntriesMax} entries and the first ${groupDigits(contextValueCharsMax)} characters of each are used.`,
    }),
  currentPath: nullableText('currentPath', currentPathCharsMax).meta({
    description: `The page that the reader is viewing, which ranks slightly higher. At most ${currentPathCharsMax} characters.`,
  }),
  links: z
    .enum(linkStyles, `links must be one of ${linkStyles.join(', ')}.`)
    .nullish()
    .meta({
      description:
        "Links in the text of the answer. Default: `relative` if the request's `Origin` is that of the site, else `absolute`.",
    }),
  accept: z
    .array(z.string('An entry of accept must be a string.'), 'accept must be an array of strings.')
    .nullish()
    .meta({
      description:
        'Version 2: stream parts that the client knows besides those of every release: `reset-step` (AI SDK 7.0.70 and later) takes back the text of the current step, so that another model can answer where one failed. Others are ignored.',
    }),
  client: nullableText('client').meta({
    description: `\`${sdkClient}\` if an AI SDK 5, 6 or 7 sends the request: the answer then contains only what every release accepts. Needed only where the body has no \`trigger\` and messages of your own.`,
  }),
}
const messagesMeta = {
  description: `The conversation, oldest first; the newest ${questionMessagesMax} count. The newest user text is the question, at most ${groupDigits(questionCharsMax)} characters.`,
}
const noMessages = 'messages must be an array of at least one message.'
const bodyMessage = 'The body must be a JSON object with fp and messages.'

/** Only validates, so that an API description can be generated from it; `readQuestion` interprets the values. */
export const assistantRequestV1Schema = z.looseObject(
  { ...questionFields, messages: z.array(messageV1Schema, noMessages).min(1, noMessages).meta(messagesMeta) },
  bodyMessage,
)
export const assistantRequestV2Schema = z.looseObject(
  { ...questionFields, messages: z.array(messageV2Schema, noMessages).min(1, noMessages).meta(messagesMeta) },
  bodyMessage,
)

/** What a client may send with a question besides its messages and thread, as in version 2. */
export const questionFieldsSchema = assistantRequestV2Schema.omit({ messages: true, threadId: true, threadKey: true })

type AssistantRequest = z.infer<typeof assistantRequestV1Schema> | z.infer<typeof assistantRequestV2Schema>
type RequestMessage = AssistantRequest['messages'][number]

/**
 * Reads the body of an assistant request.
 *
 * Of the messages, the newest 40 count. Those without text, and of other roles than user and assistant, are dropped: a
 * client's `system` message does not carry the authority of the site's owner. An empty `threadId` or `threadKey` means none.
 *
 * @param body What the JSON held. It is not changed, and nothing of the result refers to it.
 * @throws {AppError} `invalid_request` with the place of each fault; `question_too_long`.
 */
export function readQuestion(version: AssistantVersion, body: unknown): AssistantQuestion {
  const { kept, dropped } = dropExcess(body)
  const schema = version === 'v1' ? assistantRequestV1Schema : assistantRequestV2Schema
  const parsed = schema.safeParse(kept)
  if (!parsed.success)
    throw refuseQuestion(readErrorDetails(parsed.error).map((detail) => shiftPath(detail, dropped.length)))
  const request: AssistantRequest = parsed.data
  const messages = readMessages(request.messages)
  const last = messages.findLastIndex(({ role }) => role === 'user')
  const question = messages[last]?.text.trim()
  const attachments = readAttachments(request.messages.findLast(({ role }) => role === 'user') ?? {})
  if (question === undefined) {
    const message =
      attachments.length > 0
        ? 'A file alone is not a question. Say in words what you want to know about it.'
        : 'messages must hold text of the user: the question.'
    throw refuseQuestion([{ path: 'messages', message }])
  }
  if (question.length > questionCharsMax) throw questionTooLong(question.length)
  return {
    ...readScalars(request),
    filter: readFilter(request.filter ?? {}),
    context: (request.context ?? []).map((entry) => readContext(entry)),
    messages: [...takeNewest(messages.slice(0, last)), { role: 'user', text: question }],
    question,
    turn: dropped.filter(isUserMessage).length + messages.filter(({ role }) => role === 'user').length,
    accept: version === 'v1' ? [] : acceptableParts.filter((part) => request.accept?.includes(part)),
    isSdkClient: isSdkRequest(kept),
    attachments,
  }
}

/**
 * Drops unused messages and parts before validation: clients send their whole history, and validating it costs more
 * than parsing it.
 */
function dropExcess(body: unknown): { kept: unknown; dropped: readonly unknown[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { kept: body, dropped: [] }
  const { messages, context, filter }: { messages?: unknown; context?: unknown; filter?: unknown } = body
  const kept = {
    ...body,
    ...(Array.isArray(messages) && { messages: messages.slice(-questionMessagesMax).map(dropOldParts) }),
    ...(Array.isArray(context) && { context: context.slice(0, contextEntriesMax) }),
    ...(filter !== undefined && { filter: dropGroups(filter) }),
  }
  return { kept, dropped: Array.isArray(messages) ? messages.slice(0, -questionMessagesMax) : [] }
}

function dropOldParts(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('parts' in message)) return message
  const { parts } = message
  return Array.isArray(parts) && parts.length > partsMax ? { ...message, parts: parts.slice(-partsMax) } : message
}

/** Keeps one entry too many, so that validation refuses the filter. */
function dropGroups(filter: unknown): unknown {
  if (typeof filter !== 'object' || filter === null || !('groups' in filter)) return filter
  const { groups } = filter
  return Array.isArray(groups) ? { ...filter, groups: groups.slice(0, filterGroupsMax + 1) } : filter
}

/** Locates a message by its position in the conversation as sent. */
function shiftPath({ path, message }: ErrorDetail, droppedMessages: number): ErrorDetail {
  return {
    path: path.replace(/^(messages\.)(\d+)/, (_, name, index) => `${name}${Number(index) + droppedMessages}`),
    message,
  }
}

export function isUserMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'role' in message && message.role === 'user'
}

/** The newest messages that fit; long ones lose their middle. */
function takeNewest(messages: readonly QuestionMessage[]): QuestionMessage[] {
  const newest: QuestionMessage[] = []
  let chars = 0
  for (const { role, text } of messages.toReversed()) {
    const cut = cutMiddle(text, historyMessageCharsMax)
    chars += cut.length
    if (chars > historyCharsMax) break
    newest.push({ role, text: cut })
  }
  return newest.reverse()
}

function questionTooLong(chars: number): AppError {
  const [has, most] = [chars, questionCharsMax].map(groupDigits)
  const message = `The question has ${has} characters and may have at most ${most}. Ask a shorter question, and paste only the relevant part.`
  return new AppError('question_too_long', message, { details: [{ path: 'messages', message }] })
}

export function refuseQuestion(details: ErrorDetail[]): AppError {
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
    links: request.links ?? null,
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
  return {
    type,
    value: toStorableText(detach(value, contextValueCharsMax)),
    path: readText(path && detach(path, contextPathCharsMax)),
    elementId: readText(elementId && detach(elementId, elementIdCharsMax)),
  }
}

/** Copies the start of a text, so that the whole text can be garbage-collected. */
function detach(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : structuredClone(cutText(text, charsMax))
}

function readMessages(messages: readonly RequestMessage[]): QuestionMessage[] {
  return messages.flatMap((message) => {
    const { role } = message
    const text = readMessageText(message)
    return (role === 'user' || role === 'assistant') && text.trim() !== '' ? [{ role, text }] : []
  })
}

/** Clients before 4.1.20 send only `content`; newer ones repeat the text of their parts in it. */
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

import { z } from 'zod'
import type { AnswerEvent } from './answer-event.ts'
import { citationPartType, citationSchema, citedPassageSchema } from './citations.ts'
import {
  createLineSplitter,
  cutAnswerMessage,
  decodeFrames,
  parseFrameJson,
  StreamFormatError,
  type FrameDecoder,
} from './frame-decoder.ts'
import { encodeStreamJson } from './stream-json.ts'

// The UI message stream of AI SDK 5, 6 and 7 over server-sent events. Clients before 5.0.217, 6.0.231 and 7.0.32 fail
// the whole answer on an unknown key, and 5.0.0 knows the fewest, so frames contain only its keys.

export const uiMessageStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'x-vercel-ai-ui-message-stream': 'v1',
} as const

/** A comment, which every client ignores. */
export const uiMessageHeartbeat = ': ping\n\n'

const doneFrame = 'data: [DONE]\n\n'

/** Ends an answer that was stopped. Only the type, because 5.0.0 knows no other key. */
export const uiMessageAbort: string = `data: {"type":"abort"}\n\n${doneFrame}`

interface UiMessageEncoderOptions {
  /**
   * Whether an AI SDK client asked. It must not get the `finish` key that strict releases refuse. See `isSdkRequest`.
   */
  isSdkClient: boolean
}

/**
 * Creates the encoder of one answer. Each event becomes its frames, ready to be written. After the last event's text,
 * which ends in `[DONE]`, write nothing: clients still parse what follows.
 */
export function createUiMessageEncoder({ isSdkClient }: UiMessageEncoderOptions): (event: AnswerEvent) => string {
  const encodeDelta = createDeltaEncoder()
  return (event) => {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      return encodeDelta(event.type, event.id, event.text)
    }
    return event.type === 'answer-finished' ? encodeFinish(event, isSdkClient) : encodeOther(event)
  }
}

/** Built by hand: nearly all frames of an answer are deltas, and a generic encoder costs several times as much. */
function createDeltaEncoder() {
  let lastKey = ''
  let head = ''
  return (type: 'text-delta' | 'reasoning-delta', id: string, text: string): string => {
    const key = type + id
    if (key !== lastKey) {
      lastKey = key
      head = `data: {"type":"${type}","id":${encodeStreamJson(id)},"delta":`
    }
    return `${head}${encodeStreamJson(text)}}\n\n`
  }
}

type EventOf<Type extends AnswerEvent['type']> = Extract<AnswerEvent, { type: Type }>

function encodeFinish(event: EventOf<'answer-finished'>, isSdkClient: boolean): string {
  const { threadId, finishReason } = event
  const messageMetadata = { ...event.metadata, threadId }
  const thread = encodeFrame({ type: 'data-thread', data: { threadId }, transient: true })
  const finish = isSdkClient
    ? encodeFrame({ type: 'finish', messageMetadata })
    : encodeFrame({ type: 'finish', finishReason, threadId, messageMetadata })
  return thread + finish + doneFrame
}

function encodeOther(
  event: Exclude<AnswerEvent, { type: 'text-delta' | 'reasoning-delta' | 'answer-finished' }>,
): string {
  switch (event.type) {
    case 'answer-started':
      return encodeFrame({ type: 'start', messageId: event.messageId, messageMetadata: { threadId: event.threadId } })
    case 'step-started':
      return encodeFrame({ type: 'start-step' })
    case 'tool-called':
      return encodeToolCall(event)
    case 'tool-returned':
      return encodeFrame({ type: 'tool-output-available', toolCallId: event.callId, output: event.output, ...ranHere })
    case 'tool-failed':
      return encodeFrame({ type: 'tool-output-error', toolCallId: event.callId, errorText: event.message, ...ranHere })
    case 'source-cited':
      return encodeSource(event)
    case 'sentence-cited':
      return encodeFrame({ type: citationPartType, id: event.id, data: event.citation })
    case 'reasoning-started':
      return encodeFrame({ type: 'reasoning-start', id: event.id })
    case 'reasoning-ended':
      return encodeFrame({ type: 'reasoning-end', id: event.id })
    case 'text-started':
      return encodeFrame({ type: 'text-start', id: event.id })
    case 'text-ended':
      return encodeFrame({ type: 'text-end', id: event.id })
    case 'step-restarted':
      return encodeFrame({ type: 'reset-step' })
    case 'pages-suggested':
      return encodeFrame({ type: 'data-suggestions', data: { items: event.items } })
    case 'step-finished':
      return encodeFrame({ type: 'finish-step' })
    case 'answer-failed':
      return encodeFrame({ type: 'error', errorText: event.message }) + doneFrame
  }
}

/** Tells clients that the tool ran on the server; otherwise they would call their own `onToolCall`. */
const ranHere = { providerExecuted: true } as const

function encodeToolCall({ callId: toolCallId, toolName, input }: EventOf<'tool-called'>): string {
  return (
    encodeFrame({ type: 'tool-input-start', toolCallId, toolName, ...ranHere }) +
    encodeFrame({ type: 'tool-input-available', toolCallId, toolName, input, ...ranHere })
  )
}

function encodeSource({ sourceId, url, title, passage }: EventOf<'source-cited'>): string {
  const metadata = passage && { providerMetadata: { docent: passage } }
  return encodeFrame({ type: 'source-url', sourceId, url, title, ...metadata })
}

function encodeFrame(frame: UiMessageFrame): string {
  return `data: ${encodeStreamJson(frame)}\n\n`
}

const json = z.json()
const metadataSchema = z.record(z.string(), json)
const part = { id: z.string() }
const tool = { toolCallId: z.string(), providerExecuted: z.boolean().exactOptional() }

/** Every frame that the encoder produces. */
const uiMessageFrameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), messageId: z.string(), messageMetadata: metadataSchema.exactOptional() }),
  z.object({ type: z.literal('start-step') }),
  z.object({ type: z.literal('finish-step') }),
  z.object({ type: z.literal('reset-step') }),
  z.object({ type: z.literal('text-start'), ...part }),
  z.object({ type: z.literal('text-delta'), ...part, delta: z.string() }),
  z.object({ type: z.literal('text-end'), ...part }),
  z.object({ type: z.literal('reasoning-start'), ...part }),
  z.object({ type: z.literal('reasoning-delta'), ...part, delta: z.string() }),
  z.object({ type: z.literal('reasoning-end'), ...part }),
  z.object({ type: z.literal('tool-input-start'), ...tool, toolName: z.string() }),
  z.object({ type: z.literal('tool-input-available'), ...tool, toolName: z.string(), input: json }),
  z.object({ type: z.literal('tool-output-available'), ...tool, output: json }),
  z.object({ type: z.literal('tool-output-error'), ...tool, errorText: z.string() }),
  z.object({
    type: z.literal('source-url'),
    sourceId: z.string(),
    url: z.string(),
    title: z.string().exactOptional(),
    providerMetadata: z.looseObject({ docent: citedPassageSchema.exactOptional() }).exactOptional(),
  }),
  z.object({ type: z.literal(citationPartType), id: z.string(), data: citationSchema }),
  z.object({
    type: z.literal('data-thread'),
    data: z.object({ threadId: z.string() }),
    transient: z.boolean().exactOptional(),
  }),
  z.object({
    type: z.literal('data-suggestions'),
    data: z.object({ items: z.array(z.object({ title: z.string(), path: z.string(), url: z.string() })) }),
  }),
  z.object({ type: z.literal('error'), errorText: z.string() }),
  z.object({ type: z.literal('abort') }),
  z.object({
    type: z.literal('finish'),
    finishReason: z.string().exactOptional(),
    threadId: z.string().exactOptional(),
    messageMetadata: metadataSchema.exactOptional(),
  }),
])

export type UiMessageFrame = z.infer<typeof uiMessageFrameSchema>

/** The schema of the `data` of each data part, by the type of its frame. */
export const dataPartSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  uiMessageFrameSchema.options.flatMap(({ shape }) =>
    'data' in shape ? [...shape.type.values].map((type) => [type, shape.data] as const) : [],
  ),
)

const knownTypes: ReadonlySet<unknown> = new Set(
  uiMessageFrameSchema.options.flatMap((option) => [...option.shape.type.values]),
)

/**
 * Decodes the frames of one answer. Unknown frame types are skipped, so that an older client works with a newer
 * service. Comments, other fields and everything after `[DONE]` are skipped too.
 */
export function createUiMessageDecoder(): FrameDecoder<UiMessageFrame> {
  const readEvents = createEventReader()
  let isDone = false
  return {
    push(text) {
      const frames: UiMessageFrame[] = []
      for (const data of readEvents(text)) {
        isDone ||= data === '[DONE]'
        const frame = isDone ? null : parseFrame(data)
        if (frame) frames.push(frame)
      }
      return frames
    },
    end() {
      if (!isDone) throw new StreamFormatError(cutAnswerMessage)
    },
  }
}

/** @throws {StreamFormatError} if the stream violates its grammar or ends before the answer does. */
export function decodeUiMessageStream(chunks: AsyncIterable<string>): AsyncGenerator<UiMessageFrame, void, undefined> {
  return decodeFrames(createUiMessageDecoder(), chunks)
}

function parseFrame(data: string): UiMessageFrame | null {
  const value = parseFrameJson(data)
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  if (typeof type === 'string' && !knownTypes.has(type)) return null
  const frame = uiMessageFrameSchema.safeParse(value)
  if (!frame.success) {
    throw new StreamFormatError(
      `The answer contains a malformed UI message stream frame: ${z.prettifyError(frame.error)}`,
    )
  }
  return frame.data
}

/**
 * Yields the `data` of each server-sent event, by the rules of the HTML standard. An event is complete at its blank
 * line.
 */
function createEventReader(): (text: string) => string[] {
  const splitLines = createLineSplitter()
  let isFirst = true
  let data: string[] = []
  return (text) => {
    const unmarked = isFirst && text.startsWith('\u{feff}') ? text.slice(1) : text
    isFirst &&= text === ''
    const events: string[] = []
    for (const line of splitLines(unmarked)) {
      if (line === '') {
        if (data.length > 0) events.push(data.join('\n'))
        data = []
      } else if (line === 'data' || line.startsWith('data:')) {
        data.push(line.slice('data:'.length).replace(/^ /, ''))
      }
    }
    return events
  }
}

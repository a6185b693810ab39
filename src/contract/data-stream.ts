import { z } from 'zod'
import type { AnswerEvent } from './answer-event.ts'
import { placeInMessage } from './citations.ts'
import {
  createLineSplitter,
  cutAnswerMessage,
  decodeFrames,
  parseFrameJson,
  StreamFormatError,
  type FrameDecoder,
} from './frame-decoder.ts'
import { encodeStreamJson } from './stream-json.ts'

// The data stream of AI SDK 4, one frame per line. Clients from 4.1.15 must be able to read it and fail on unknown
// codes, so only the codes of 4.1.15 occur: sources and citations are annotations (`8`), because `h` came with 4.1.35.

export const dataStreamHeaders = {
  'content-type': 'text/plain; charset=utf-8',
  'x-vercel-ai-data-stream': 'v1',
} as const

/** An empty line, the only thing that every client skips. */
export const dataStreamHeartbeat = '\n'

type EventOf<Type extends AnswerEvent['type']> = Extract<AnswerEvent, { type: Type }>

/** Creates the encoder of one answer. Each event becomes its frames, ready to be written; some events have none. */
export function createDataStreamEncoder(): (event: AnswerEvent) => string {
  let messageId = ''
  let chars = 0
  const textStarts = new Map<string, number>()
  return (event) => {
    if (event.type === 'text-delta') {
      chars += event.text.length
      return `0:${encodeStreamJson(event.text)}\n`
    }
    if (event.type === 'answer-started') messageId = event.messageId
    if (event.type === 'text-started') textStarts.set(event.id, chars)
    if (event.type === 'step-started') return encodeFrame({ code: 'f', value: { messageId } })
    return event.type === 'sentence-cited' ? encodeCitation(event, textStarts) : encodeOther(event)
  }
}

type OtherEvent = Exclude<AnswerEvent, { type: 'text-delta' | 'step-started' | 'sentence-cited' }>

function encodeOther(event: OtherEvent): string {
  switch (event.type) {
    case 'reasoning-delta':
      return encodeFrame({ code: 'g', value: event.text })
    case 'tool-called':
      return encodeFrame({
        code: '9',
        value: { toolCallId: event.callId, toolName: event.toolName, args: event.input },
      })
    case 'tool-returned':
      return encodeFrame({ code: 'a', value: { toolCallId: event.callId, result: event.output } })
    case 'tool-failed':
      return encodeToolFailure(event)
    case 'source-cited':
      return encodeSource(event)
    case 'pages-suggested':
      return encodeFrame({
        code: '8',
        value: [{ type: 'suggestions', items: event.items.map((item) => ({ ...item })) }],
      })
    case 'step-finished':
      return encodeFrame({ code: 'e', value: { ...encodeEnding(event), isContinued: false } })
    case 'answer-finished':
      return encodeFinish(event)
    case 'answer-failed':
      return encodeFrame({ code: '3', value: event.message })
    // The format has no such frame, so no client of it can accept one.
    case 'step-restarted':
    case 'answer-started':
    case 'reasoning-started':
    case 'reasoning-ended':
    case 'text-started':
    case 'text-ended':
      return ''
  }
}

/**
 * The format has no failed tool. Clients that read search results can handle an empty list; `error` carries the reason.
 */
function encodeToolFailure({ callId: toolCallId, message }: EventOf<'tool-failed'>): string {
  return encodeFrame({ code: 'a', value: { toolCallId, result: [], error: message } })
}

function encodeSource({ sourceId: id, url, title, passage }: EventOf<'source-cited'>): string {
  const metadata = passage && { providerMetadata: { docent: passage } }
  return encodeFrame({ code: '8', value: [{ type: 'source', sourceType: 'url', id, url, title, ...metadata }] })
}

/** Clients join all texts of an answer, so offsets count in the whole. */
function encodeCitation({ id, citation }: EventOf<'sentence-cited'>, textStarts: ReadonlyMap<string, number>): string {
  const answer = placeInMessage(citation.answer, textStarts)
  return encodeFrame({ code: '8', value: [{ type: 'citation', id, ...citation, answer }] })
}

function encodeEnding({ finishReason, usage }: EventOf<'step-finished' | 'answer-finished'>) {
  return { finishReason, usage: { promptTokens: usage.inputTokens, completionTokens: usage.outputTokens } }
}

/**
 * The thread id is sent in three places, because clients strip unknown keys from `d` but pass `2` and `8` to the page.
 */
function encodeFinish(event: EventOf<'answer-finished'>): string {
  const { threadId } = event
  return (
    encodeFrame({ code: '2', value: [{ type: 'finish', threadId, metadata: event.metadata }] }) +
    encodeFrame({ code: '8', value: [{ type: 'thread', threadId }] }) +
    encodeFrame({ code: 'd', value: { type: 'finish', ...encodeEnding(event), threadId } })
  )
}

function encodeFrame({ code, value }: DataStreamFrame): string {
  return `${code}:${encodeStreamJson(value)}\n`
}

const json = z.json()
const list = z.array(json)
const ending = {
  finishReason: z.string(),
  usage: z.object({ promptTokens: z.number(), completionTokens: z.number() }).exactOptional(),
}

/** Every frame that the encoder produces. `code` is the first character of the line. */
const dataStreamFrameSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('0'), value: z.string() }),
  z.object({ code: z.literal('2'), value: list }),
  z.object({ code: z.literal('3'), value: z.string() }),
  z.object({ code: z.literal('8'), value: list }),
  z.object({ code: z.literal('9'), value: z.object({ toolCallId: z.string(), toolName: z.string(), args: json }) }),
  z.object({
    code: z.literal('a'),
    value: z.object({ toolCallId: z.string(), result: json, error: z.string().exactOptional() }),
  }),
  z.object({
    code: z.literal('d'),
    value: z.object({ type: z.literal('finish').exactOptional(), ...ending, threadId: z.string().exactOptional() }),
  }),
  z.object({ code: z.literal('e'), value: z.object({ ...ending, isContinued: z.boolean().exactOptional() }) }),
  z.object({ code: z.literal('f'), value: z.object({ messageId: z.string() }) }),
  z.object({ code: z.literal('g'), value: z.string() }),
])

export type DataStreamFrame = z.infer<typeof dataStreamFrameSchema>

const knownCodes: ReadonlySet<string> = new Set(
  dataStreamFrameSchema.options.flatMap((option) => [...option.shape.code.values]),
)

/**
 * Decodes the frames of one answer. Unknown codes are skipped, so that an older client works with a newer service. The
 * answer ends with its `d` or `3`.
 */
export function createDataStreamDecoder(): FrameDecoder<DataStreamFrame> {
  const splitLines = createLineSplitter()
  let isDone = false
  return {
    push(text) {
      const frames = splitLines(text).flatMap((line) => parseLine(line))
      isDone ||= frames.some(({ code }) => code === 'd' || code === '3')
      return frames
    },
    end() {
      if (!isDone) throw new StreamFormatError(cutAnswerMessage)
    },
  }
}

/** @throws {StreamFormatError} if the stream violates its grammar or ends before the answer does. */
export function decodeDataStream(chunks: AsyncIterable<string>): AsyncGenerator<DataStreamFrame, void, undefined> {
  return decodeFrames(createDataStreamDecoder(), chunks)
}

function parseLine(line: string): DataStreamFrame[] {
  if (line === '') return []
  const code = line.charAt(0)
  if (line.charAt(1) !== ':') throw new StreamFormatError('The answer contains a line that is not a data stream frame.')
  if (!knownCodes.has(code)) return []
  const frame = dataStreamFrameSchema.safeParse({ code, value: parseFrameJson(line.slice(2)) })
  if (!frame.success) {
    throw new StreamFormatError(`The answer contains a malformed data stream frame: ${z.prettifyError(frame.error)}`)
  }
  return [frame.data]
}

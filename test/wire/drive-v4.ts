import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type { WireClient, WireClientOptions, WireFile, WireTurn } from './wire-client.ts'

/** The releases of the AI SDK 4 that are driven. Their workspace has its own zod, so they are found from there. */
export const v4Releases = ['ai-v4-oldest', 'ai-v4'] as const
export type V4Release = (typeof v4Releases)[number]

const workspace = resolve(import.meta.dirname, '../clients/ai-v4/package.json')

/** The fields of a message that applications read. */
interface V4Message {
  id: string
  role: string
  content: string
  createdAt?: Date
  reasoning?: string
  annotations?: unknown[]
  experimental_attachments?: { name: string; contentType: string; url: string }[]
  toolInvocations?: { toolName: string; state: string; result?: unknown }[]
}

/** What `useChat` of the AI SDK 4 calls for each message. */
type CallChatApi = (call: {
  api: string
  body: Record<string, unknown>
  streamProtocol: 'data'
  credentials: undefined
  headers: Record<string, string>
  abortController: () => AbortController
  restoreMessagesOnFailure: () => void
  onResponse: (response: Response) => void
  onUpdate: (update: { message: V4Message; data: unknown[] | undefined }) => void
  onFinish: (message: V4Message) => void
  onToolCall: (call: { toolCall: { toolName: string } }) => void
  generateId: () => string
  fetch: typeof fetch
  lastMessage: V4Message | undefined
}) => Promise<void>

interface V4State {
  answer: V4Message | null
  data: unknown[]
  finished: V4Message | null
  header: string | null
  error: string | null
}

/** A chat as `useChat` holds it, without React: the same call, the same reading of its updates. */
export function createV4Client(release: V4Release, options: WireClientOptions): WireClient {
  const callChatApi = loadCallChatApi(release)
  const history: V4Message[] = []
  let controller = new AbortController()
  let state = createState()
  let threadId: unknown = null
  const send = async () => {
    controller = new AbortController()
    state = createState()
    await call(callChatApi, { ...options, history, controller, state, threadId })
    if (state.answer) history.push(state.answer)
    const turn = readTurn(state)
    threadId = turn.threadIds['data'] ?? threadId
    return turn
  }
  return {
    ask(text, files = []) {
      const message: V4Message = { id: `user_${history.length}`, role: 'user', content: text, createdAt: new Date(0) }
      history.push(files.length === 0 ? message : { ...message, experimental_attachments: files.map(toAttachment) })
      return send()
    },
    /** As `reload()` does: without the last answer. */
    askAgain() {
      if (history.at(-1)?.role === 'assistant') history.pop()
      return send()
    },
    partialText: () => state.answer?.content ?? '',
    stop: async () => controller.abort(),
  }
}

function toAttachment({ filename: name, mediaType: contentType, url }: WireFile) {
  return { name, contentType, url }
}

function createState(): V4State {
  return { answer: null, data: [], finished: null, header: null, error: null }
}

/** The package is found as the release of `ai` finds it: the oldest has one of its own. */
function loadCallChatApi(release: V4Release): CallChatApi {
  const fromRelease = createRequire(createRequire(workspace).resolve(release))
  // A package that is found by path has no types; this is the part of them that is used.
  const { callChatApi } = fromRelease('@ai-sdk/ui-utils') as { callChatApi: CallChatApi }
  return callChatApi
}

interface V4Call extends WireClientOptions {
  history: readonly V4Message[]
  controller: AbortController
  state: V4State
  threadId: unknown
}

async function call(
  callChatApi: CallChatApi,
  { server, body, history, controller, state, threadId }: V4Call,
): Promise<void> {
  let nextId = 0
  try {
    await callChatApi({
      api: server.url('v1'),
      body: { id: 'chat_1', messages: history, ...body, threadId },
      streamProtocol: 'data',
      credentials: undefined,
      headers: server.headers,
      abortController: () => controller,
      restoreMessagesOnFailure: () => undefined,
      onResponse: (response) => void (state.header = response.headers.get('x-thread-id')),
      onUpdate: ({ message, data }) => Object.assign(state, { answer: message, data: data ?? [] }),
      onFinish: (message) => void (state.finished = message),
      onToolCall: () => undefined,
      generateId: () => `generated_${nextId++}`,
      fetch,
      lastMessage: history.at(-1),
    })
  } catch (error) {
    // `useChat` takes an abort for no error.
    if (!controller.signal.aborted) state.error = error instanceof Error ? error.message : String(error)
  }
}

function readTurn(state: V4State): WireTurn {
  const annotations = (state.answer?.annotations ?? []).filter(isRecord)
  return {
    text: state.answer?.content ?? '',
    reasoning: state.answer?.reasoning ?? '',
    error: state.error,
    sources: annotations
      .filter(({ type }) => type === 'source')
      .map(({ url, title }) => ({ url: String(url), title: String(title) })),
    citations: annotations
      .filter(({ type }) => type === 'citation')
      .map(({ type: _type, id: _id, ...citation }) => citation),
    toolOutputs: (state.answer?.toolInvocations ?? []).map(({ result }) => result),
    threadIds: {
      data: state.data.filter(isRecord).findLast(({ type }) => type === 'finish')?.['threadId'],
      annotations: annotations.find(({ type }) => type === 'thread')?.['threadId'],
      onFinish: state.finished?.annotations?.filter(isRecord).find(({ type }) => type === 'thread')?.['threadId'],
      header: state.header,
    },
    metadata: readMetadata(state.data.filter(isRecord).findLast(({ type }) => type === 'finish')?.['metadata']),
    toolsToRun: [],
  }
}

function readMetadata(metadata: unknown): Record<string, unknown> {
  return isRecord(metadata) ? metadata : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

import type * as Ai from 'ai-v5'
import type { ChatState, ChatStatus, ChatTransport, UIMessage } from 'ai-v5'
import { citationPartType } from '../../src/contract/citations.ts'
import type { WireClient, WireClientOptions, WireTurn } from './wire-client.ts'

type Sdk = typeof Ai
type Part = UIMessage['parts'][number]

/** The releases of the AI SDK 5 to 7 that are driven, by the name of their package here. */
export const v5Releases = {
  'ai-v5-oldest': () => import('ai-v5-oldest'),
  'ai-v5': () => import('ai-v5'),
  'ai-v6-oldest': () => import('ai-v6-oldest'),
  'ai-v6': () => import('ai-v6'),
  'ai-v7-oldest': () => import('ai-v7-oldest'),
  'ai-v7': () => import('ai-v7'),
}

export type V5Release = keyof typeof v5Releases

export interface V5Options extends WireClientOptions {
  /** Sends only messages and the application's fields, as applications with a body of their own do. */
  hasOwnBody?: boolean
  /** Builds the messages anew as well, so that nothing of the SDK is left in the request. */
  hasOwnMessages?: boolean
  /** The id of the chat; one of its own without it. */
  chatId?: string
  /** What the user had asked when the page was loaded anew. */
  asked?: string
  /** Default: that of the SDK, with the thread of the last answer. */
  transport?: ChatTransport<UIMessage>
}

class PlainState implements ChatState<UIMessage> {
  status: ChatStatus = 'ready'
  error: Error | undefined
  messages: UIMessage[] = []
  pushMessage = (message: UIMessage) => void (this.messages = [...this.messages, message])
  popMessage = () => void (this.messages = this.messages.slice(0, -1))
  replaceMessage = (index: number, message: UIMessage) => void (this.messages = this.messages.with(index, message))
  snapshot = <T>(value: T): T => structuredClone(value)
}

/** A chat as `useChat` holds it, without React. */
export async function createV5Client(
  release: V5Release,
  options: V5Options,
): Promise<WireClient & { resume(): Promise<WireTurn>; lastMessage(): UIMessage | undefined }> {
  // The releases differ in types that do not matter here; what is used of them exists in all.
  const sdk = (await v5Releases[release]()) as unknown as Sdk
  const seen = createObserver()
  const state = new PlainState()
  if (options.asked !== undefined) {
    state.messages = [{ id: 'asked', role: 'user', parts: [{ type: 'text', text: options.asked }] }]
  }
  const chat = new (class Chat extends sdk.AbstractChat<UIMessage> {})({
    ...(options.chatId !== undefined && { id: options.chatId }),
    state,
    transport: options.transport ?? createTransport(sdk, { ...options, seen }),
    onData: (part) => void (seen.data = part),
    onFinish: ({ message }) => void (seen.finished = message),
    onToolCall: ({ toolCall }) => void seen.toolsToRun.push(toolCall.toolName),
  })
  const run = async (act: () => Promise<void>) => {
    seen.reset()
    await act()
    const turn = readTurn(chat.messages.at(-1), seen)
    seen.threadId = turn.threadIds['metadata'] ?? seen.threadId
    return { ...turn, error: chat.error?.message ?? null }
  }
  return {
    ask: (text, files = []) =>
      run(() => chat.sendMessage({ text, files: files.map((file) => ({ ...file, type: 'file' as const })) })),
    askAgain: () => run(() => chat.regenerate()),
    resume: () => run(() => chat.resumeStream()),
    partialText: () => readTexts(chat.messages.at(-1)?.parts ?? [], 'text'),
    stop: () => chat.stop(),
    lastMessage: () => chat.messages.at(-1),
  }
}

function createObserver() {
  return {
    data: null as unknown,
    finished: null as UIMessage | null,
    header: null as string | null,
    toolsToRun: [] as string[],
    threadId: null as unknown,
    reset() {
      Object.assign(this, { data: null, finished: null, header: null, toolsToRun: [] })
    },
  }
}

type Observer = ReturnType<typeof createObserver>

function createTransport(sdk: Sdk, { server, body, hasOwnBody, hasOwnMessages, seen }: V5Options & { seen: Observer }) {
  return new sdk.DefaultChatTransport<UIMessage>({
    api: server.url('v2'),
    headers: server.headers,
    body: () => ({ ...body, threadId: seen.threadId }),
    async fetch(input, init) {
      const response = await fetch(input, init)
      seen.header = response.headers.get('x-thread-id')
      return response
    },
    ...((hasOwnBody === true || hasOwnMessages === true) && {
      prepareSendMessagesRequest: ({
        messages,
        body: fields,
      }: {
        messages: UIMessage[]
        body: object | undefined
      }) => ({
        body: { ...fields, messages: hasOwnMessages ? messages.map(({ role, parts }) => ({ role, parts })) : messages },
      }),
    }),
  })
}

function readTurn(message: UIMessage | undefined, seen: Observer): WireTurn {
  const answer = message?.role === 'assistant' ? message : undefined
  const parts = answer?.parts ?? []
  return {
    text: readTexts(parts, 'text'),
    reasoning: readTexts(parts, 'reasoning'),
    error: null,
    sources: parts.flatMap((part) => (part.type === 'source-url' ? [{ url: part.url, title: part.title ?? '' }] : [])),
    citations: parts.flatMap((part) => ('data' in part && part.type === citationPartType ? [part.data] : [])),
    toolOutputs: parts.flatMap((part) =>
      'toolCallId' in part && part.state === 'output-available' ? [part.output] : [],
    ),
    threadIds: {
      metadata: readThreadId(answer?.metadata),
      onFinish: readThreadId(seen.finished?.metadata),
      onData: readThreadId(seen.data && typeof seen.data === 'object' && 'data' in seen.data ? seen.data.data : null),
      header: seen.header,
    },
    metadata: readMetadata(answer?.metadata),
    toolsToRun: seen.toolsToRun,
  }
}

function readMetadata(metadata: unknown): Record<string, unknown> {
  const { threadId: _, ...rest } =
    typeof metadata === 'object' && metadata !== null ? { ...metadata, threadId: '' } : { threadId: '' }
  return rest
}

function readTexts(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('')
}

function readThreadId(holder: unknown): unknown {
  return typeof holder === 'object' && holder !== null && 'threadId' in holder ? holder.threadId : undefined
}

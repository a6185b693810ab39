import { decodeUiMessageStream, type UiMessageFrame } from '../../src/contract/ui-message-stream.ts'
import { adminKey, type Docent } from './start-docent.ts'

/** What a client of version 2 sees of one answer. */
export interface AskedAnswer {
  status: number
  threadId: string | null
  text: string
  /** The sentence of an error in the stream. */
  error: string | null
  metadata: Record<string, unknown>
  frames: UiMessageFrame[]
}

export interface AskOptions {
  /** Earlier messages, oldest first, questions and answers in turn. */
  history?: readonly string[]
  body?: Record<string, unknown>
  /** An assistant key other than the first. */
  key?: string
}

/** Asks as a plain client does and reads the answer to its end. */
export async function askDocent(
  docent: Docent,
  text: string,
  { history = [], body = {}, key }: AskOptions = {},
): Promise<AskedAnswer> {
  const messages = [...history, text].map((said, index) => ({
    role: (history.length - index) % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: said }],
  }))
  const path = '/discovery/v2/assistant/docs/message'
  const headers = key === undefined ? undefined : { authorization: `Bearer ${key}` }
  const response = await docent.post(path, { fp: 'anonymous', messages, ...body }, headers)
  const frames: UiMessageFrame[] = []
  if (response.status === 200) {
    for await (const frame of decodeUiMessageStream(once(await response.text()))) frames.push(frame)
  } else await response.body?.cancel()
  const finish = frames.find((frame) => frame.type === 'finish')
  const error = frames.find((frame) => frame.type === 'error')
  return {
    status: response.status,
    threadId: response.headers.get('x-thread-id'),
    text: frames.map((frame) => (frame.type === 'text-delta' ? frame.delta : '')).join(''),
    error: error?.errorText ?? null,
    metadata: finish?.messageMetadata ?? {},
    frames,
  }
}

async function* once(text: string) {
  yield text
}

export interface StoredMessage {
  id: string
  role: string
  text: string
  verdict: string | null
  verdictReasons: string[]
  model: string | null
  costUsd: number | null
}

/** The conversation as an owner reads it. */
export async function readTranscript(docent: Docent, threadId: string | null): Promise<StoredMessage[]> {
  const path = `/admin/v1/sites/docs/threads/${encodeURIComponent(threadId ?? '')}`
  const response = await docent.get(path, { authorization: `Bearer ${adminKey}` })
  return ((await response.json()) as { messages: StoredMessage[] }).messages
}

/** Sends JSON with the admin key. */
export async function sendAsAdmin(
  docent: Docent,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(docent.url + path, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) }
}

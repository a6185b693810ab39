import { parseJson } from '../base/parse-json.ts'
import { readBodyStart } from '../base/body-start.ts'
import { BotApiError } from './bot-api-error.ts'

const timeoutMs = 15_000
const replyBytesMax = 4 * 1024 * 1024
const retryAfterMsMax = 10 * 60_000

export interface ChatApiCall {
  fetch: typeof fetch
  signal: AbortSignal
  /** Name of the platform, for messages. */
  platform: string
  url: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  headers: Record<string, string>
  body?: string
}

export interface ChatApiReply {
  status: number
  /** Null if the body is not JSON. */
  json: unknown
}

/**
 * Calls a chat platform.
 *
 * @returns Its reply, unless that is a failure on its side or asks to wait.
 * @throws {BotApiError} `isPassing`; the signal's reason.
 */
export async function callChatApi({ fetch, signal, platform, url, ...init }: ChatApiCall): Promise<ChatApiReply> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const { bytes, isWhole } = await readBodyStart(response.body, replyBytesMax)
    if (!isWhole) throw new Error(`The reply is larger than ${replyBytesMax} bytes.`)
    if (response.status !== 429 && response.status < 500)
      return { status: response.status, json: parseJson(bytes.toString('utf8')) }
    const message = `${platform} replied with status ${response.status}.`
    throw new BotApiError(message, { isPassing: true, retryAfterMs: readWait(response.headers) })
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    if (cause instanceof BotApiError) throw cause
    throw new BotApiError(`${platform} does not respond. Check the network of the server.`, { isPassing: true, cause })
  }
}

/** Both platforms give seconds, Discord with decimals. */
function readWait(headers: Headers): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, retryAfterMsMax) : null
}

import { z } from 'zod'
import { BotApiError } from '../bot-api-error.ts'
import type { BotConnection } from '../bot-platform.ts'
import { callChatApi } from '../call-chat-api.ts'

const errorSchema = z.object({ message: z.string() })

/** @returns The body of the reply. @throws {BotApiError} */
export async function callDiscord(
  { fetch, apiUrl, credentials, signal }: BotConnection,
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
): Promise<unknown> {
  const { status, json } = await callChatApi({
    fetch,
    signal,
    platform: 'Discord',
    url: apiUrl + path,
    method,
    headers: { authorization: `Bot ${credentials.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (status >= 200 && status < 300) return json
  const reason = errorSchema.safeParse(json).data?.message.slice(0, 200) ?? 'no reason given'
  throw new BotApiError(`Discord refused ${method} with status ${status}: ${reason}`, { isPassing: false })
}

import { z } from 'zod'
import { BotApiError } from '../bot-api-error.ts'
import type { BotConnection } from '../bot-platform.ts'
import { callChatApi } from '../call-chat-api.ts'

const replySchema = z.looseObject({ ok: z.boolean(), error: z.string().optional(), needed: z.string().optional() })

type SlackArgument = string | number | boolean | object | undefined

/** Codes of failures that pass by themselves. */
const passingErrors: ReadonlySet<string> = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
])

/**
 * Calls a method of Slack's Web API. Arguments are sent as a form, the only encoding that every method reads.
 *
 * @returns The reply, whose `ok` is true.
 * @throws {BotApiError}
 */
export async function callSlack(
  { fetch, apiUrl, credentials, signal }: BotConnection,
  method: string,
  args: Record<string, SlackArgument> = {},
): Promise<Record<string, unknown>> {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(args)) {
    if (value !== undefined) form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const { json } = await callChatApi({
    fetch,
    signal,
    platform: 'Slack',
    url: `${apiUrl}/api/${method}`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${credentials.token}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  })
  const reply = replySchema.safeParse(json)
  if (reply.data?.ok === true) return reply.data
  throw explain(method, reply.data ?? {})
}

function explain(
  method: string,
  { error = 'unknown_error', needed }: { error?: string | undefined; needed?: string | undefined },
): BotApiError {
  const scope = needed === undefined ? '' : ` Add the scope ${needed.slice(0, 100)} to the app and install it again.`
  return new BotApiError(`Slack refused ${method}: ${error.slice(0, 100)}.${scope}`, {
    isPassing: passingErrors.has(error),
  })
}

/**
 * Replies to a command or a button.
 *
 * @param path Of the response URL. Its host is never taken from a request.
 * @throws {BotApiError}
 */
export async function respondInSlack(connection: BotConnection, path: string, message: object): Promise<void> {
  const { fetch, apiUrl, signal } = connection
  const { status } = await callChatApi({
    fetch,
    signal,
    platform: 'Slack',
    url: hooksUrl(apiUrl) + path,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
  })
  if (status === 200) return
  throw new BotApiError(`Slack refused a reply with status ${status}: it is older than 30 minutes.`, {
    isPassing: false,
  })
}

/** A test server for Slack has everything at one address. */
function hooksUrl(apiUrl: string): string {
  return apiUrl === 'https://slack.com' ? 'https://hooks.slack.com' : apiUrl
}

import { parseJson } from '../../base/parse-json.ts'
import { repairCounts } from './repair-events.ts'

/**
 * Turns a whole reply in JSON into the requested events, because some gateways and servers do not stream. Besides
 * answers, only errors are converted.
 */
export async function streamWholeReply(reply: Response, body: unknown): Promise<Response> {
  const isAsked = typeof body === 'string' && /"stream"\s*:\s*true/.test(body)
  const isJson = /^application\/json\b/i.test(reply.headers.get('content-type') ?? '')
  if (!reply.ok || !isAsked || !isJson) return reply
  const { status, statusText } = reply
  const text = await reply.text()
  const events = toEvents(parseJson(text))
  if (events === null) return new Response(text, { status, statusText, headers: reply.headers })
  const headers = { 'content-type': 'text/event-stream' }
  return new Response([...events, '[DONE]'].map((event) => `data: ${event}\n\n`).join(''), {
    status,
    statusText,
    headers,
  })
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Converts chat completions, the only protocol that many servers share. */
function toEvents(reply: unknown): string[] | null {
  if (!isRecord(reply)) return null
  if (isRecord(reply['error'])) return [JSON.stringify({ error: reply['error'] })]
  const { choices } = reply
  if (!Array.isArray(choices) || !choices.every((choice) => isRecord(choice) && isRecord(choice['message'])))
    return null
  const event = { ...reply, object: 'chat.completion.chunk', choices: choices.map(toChunkChoice) }
  return [JSON.stringify(repairCounts(event))]
}

/** Servers that do not stream may give no reason: the answer is whole. */
function toChunkChoice({ message, finish_reason: reason, ...choice }: Record<string, unknown>) {
  const { tool_calls: calls, ...delta } = isRecord(message) ? message : {}
  const numbered = Array.isArray(calls) ? { tool_calls: calls.map((call: object, index) => ({ index, ...call })) } : {}
  return { index: 0, ...choice, finish_reason: reason ?? 'stop', delta: { ...delta, ...numbered } }
}

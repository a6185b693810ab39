import { parseJson } from '../../base/parse-json.ts'
import { writeRepaired } from './repair-events.ts'
import { writeEventFrame } from './repair-frames.ts'

/**
 * Turns a whole reply in JSON into the requested events, because some gateways and servers do not stream. JSON that is
 * neither an answer nor an error is left as it is.
 *
 * @param target The address of the request. Gemini's and Amazon's say whether to stream; elsewhere the body does.
 */
export async function streamWholeReply(reply: Response, target: string, body: unknown): Promise<Response> {
  const isOfAmazon = target.endsWith('/converse-stream')
  const isAsked =
    isOfAmazon ||
    /:streamGenerateContent\b/.test(target) ||
    (typeof body === 'string' && /"stream"\s*:\s*true/.test(body))
  const isJson = /^application\/json\b/i.test(reply.headers.get('content-type') ?? '')
  if (!reply.ok || !isAsked || !isJson) return reply
  const { status, statusText } = reply
  const text = await reply.text()
  const events = isOfAmazon ? writeAmazonFrames(parseJson(text)) : writeEvents(parseJson(text))
  if (events === null) return new Response(text, { status, statusText, headers: reply.headers })
  const type = isOfAmazon ? 'application/vnd.amazon.eventstream' : 'text/event-stream'
  return new Response(events, { status, statusText, headers: { 'content-type': type } })
}

function writeEvents(reply: unknown): string | null {
  const lines = [...(toEvents(reply)?.map(writeRepaired) ?? [null]), '[DONE]']
  return lines.includes(null) ? null : lines.map((line) => `data: ${line}\n\n`).join('')
}

function writeAmazonFrames(reply: unknown): Buffer<ArrayBuffer> | null {
  const frames = listConverseEvents(fieldsOf(reply))?.map(([type, event]) => {
    const payload = writeRepaired(event)
    return payload === null ? null : writeEventFrame(type, payload)
  })
  return frames === undefined || !frames.every((frame) => frame !== null) ? null : Buffer.concat(frames)
}

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})
const areFields = (value: unknown): value is Fields[] => Array.isArray(value) && value.every(isFields)

/** Tells protocols apart by what their replies contain. Gemini's events contain what its replies do, and may come as a list. */
function toEvents(reply: unknown): readonly Fields[] | null {
  if (areFields(reply)) return reply.length > 0 && reply.every(isOfGemini) ? reply : null
  if (!isFields(reply)) return null
  if (isFields(reply['error'])) return [{ type: reply['type'], error: reply['error'] }]
  const { choices, content, output, message } = reply
  if (areFields(choices))
    return choices.every((choice) => isFields(choice['message'])) ? [toChunk(reply, choices)] : null
  if (isOfGemini(reply)) return [reply]
  if (reply['type'] === 'message' && areFields(content)) return listAnthropicEvents(reply, content)
  if (reply['object'] === 'response' && areFields(output)) return listResponsesEvents(reply, output)
  if (isFields(message)) return listCohereEvents(reply, message)
  return null
}

function isOfGemini(reply: Fields): boolean {
  return areFields(reply['candidates']) || isFields(reply['error'])
}

function toChunk(reply: Fields, choices: readonly Fields[]): Fields {
  return { ...reply, object: 'chat.completion.chunk', choices: choices.map(toChunkChoice) }
}

/** Servers that do not stream may give no reason: the answer is whole. */
function toChunkChoice({ message, finish_reason: reason, ...choice }: Fields) {
  const { tool_calls: calls, ...delta } = fieldsOf(message)
  const numbered = areFields(calls) ? { tool_calls: calls.map((call, index) => ({ index, ...call })) } : {}
  return { index: 0, ...choice, finish_reason: reason ?? 'stop', delta: { ...delta, ...numbered } }
}

function listAnthropicEvents({ stop_reason: reason, ...message }: Fields, content: readonly Fields[]): Fields[] {
  // The protocol's package accepts no answer without counts.
  const usage = message['usage'] ?? { input_tokens: 0, output_tokens: 0 }
  return [
    { type: 'message_start', message: { ...message, content: [], usage } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: { ...block, ...emptyBlocks[String(block['type'])] } },
      ...listAnthropicDeltas(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: reason ?? 'end_turn' }, usage },
    { type: 'message_stop' },
  ]
}

/** How blocks begin whose content arrives in pieces. */
const emptyBlocks: Readonly<Record<string, Fields>> = {
  text: { text: '' },
  thinking: { thinking: '' },
  tool_use: { input: {} },
}

function listAnthropicDeltas({ type, text, thinking, signature, input }: Fields): Fields[] {
  if (type === 'text') return [{ type: 'text_delta', text }]
  if (type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) }]
  if (type !== 'thinking') return []
  const signed = typeof signature === 'string' ? [{ type: 'signature_delta', signature }] : []
  return [{ type: 'thinking_delta', thinking }, ...signed]
}

function listResponsesEvents(reply: Fields, output: readonly Fields[]): Fields[] {
  const response = { id: '', created_at: 0, model: '', ...reply }
  const status = reply['status'] === 'incomplete' || reply['status'] === 'failed' ? reply['status'] : 'completed'
  return [
    { type: 'response.created', response },
    ...output.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: { ...item, arguments: '' } },
      ...listResponsesDeltas(item).map((delta) => ({ ...delta, item_id: item['id'], output_index: index })),
      { type: 'response.output_item.done', output_index: index, item },
    ]),
    { type: `response.${status}`, sequence_number: 0, response },
  ]
}

function listResponsesDeltas({ content }: Fields): Fields[] {
  const parts = areFields(content) ? content : []
  return parts.flatMap(({ type, text, refusal }): Fields[] => {
    if (type === 'output_text') return [{ type: 'response.output_text.delta', content_index: 0, delta: text }]
    return type === 'refusal' ? [{ type: 'response.refusal.delta', content_index: 0, delta: refusal }] : []
  })
}

function listCohereEvents({ id, finish_reason: reason, usage }: Fields, message: Fields): Fields[] {
  const { content, tool_calls: calls } = message
  const tokens = { input_tokens: 0, output_tokens: 0 }
  const counts = usage ?? { billed_units: tokens, tokens }
  return [
    { type: 'message-start', id },
    ...(areFields(content) ? content : []).flatMap((part, index) => {
      const delta = { message: { content: part } }
      const start = { message: { content: { ...part, [String(part['type'])]: '' } } }
      return [
        { type: 'content-start', index, delta: start },
        { type: 'content-delta', index, delta },
        { type: 'content-end', index },
      ]
    }),
    ...(areFields(calls) ? calls : []).flatMap((call) => [
      { type: 'tool-call-start', delta: { message: { tool_calls: call } } },
      { type: 'tool-call-end' },
    ]),
    { type: 'message-end', delta: { finish_reason: reason ?? 'COMPLETE', usage: counts } },
  ]
}

function listConverseEvents({ output, stopReason, usage }: Fields): [type: string, event: Fields][] | null {
  const { content } = fieldsOf(fieldsOf(output)['message'])
  if (!areFields(content)) return null
  return [
    ['messageStart', { role: 'assistant' }],
    ...content.flatMap((block, contentBlockIndex) => {
      const { toolUse } = block
      // Of other blocks nothing is known before their content.
      const start = isFields(toolUse) ? { toolUse: { toolUseId: toolUse['toolUseId'], name: toolUse['name'] } } : null
      return [
        ...(start === null ? [] : [['contentBlockStart', { contentBlockIndex, start }]]),
        ...listConverseDeltas(block).map((delta) => ['contentBlockDelta', { contentBlockIndex, delta }]),
        ['contentBlockStop', { contentBlockIndex }],
      ] as [string, Fields][]
    }),
    ['messageStop', { stopReason: stopReason ?? 'end_turn' }],
    ['metadata', isFields(usage) ? { usage } : {}],
  ]
}

function listConverseDeltas({ text, toolUse, reasoningContent, citationsContent }: Fields): Fields[] {
  if (typeof text === 'string') return [{ text }]
  if (isFields(toolUse)) return [{ toolUse: { input: JSON.stringify(toolUse['input'] ?? {}) } }]
  const { content: cited } = fieldsOf(citationsContent)
  if (areFields(cited))
    return cited.flatMap((part) => (typeof part['text'] === 'string' ? [{ text: part['text'] }] : []))
  const { reasoningText } = fieldsOf(reasoningContent)
  // What else a thought consists of is sent in one piece in either form.
  if (!isFields(reasoningText)) return isFields(reasoningContent) ? [{ reasoningContent }] : []
  const { text: thought, signature } = reasoningText
  return [
    ...(typeof thought === 'string' ? [{ reasoningContent: { text: thought } }] : []),
    ...(typeof signature === 'string' ? [{ reasoningContent: { signature } }] : []),
  ]
}

import { gzipSync } from 'node:zlib'
import type { ModelProtocol } from '../../src/contract/model-providers.ts'
import { type Protocol, readRecording } from './protocols.ts'
import { frame, type Reply, streamTypes } from './recorded-server.ts'

/**
 * How an answer must end: `broke` and `failed` with an error, after some text or before any; `said` with our own sentence;
 * `other` with a sentence after the text.
 */
export type SickEnd = 'whole' | 'length' | 'content-filter' | 'other' | 'broke' | 'failed' | 'said'

export interface SickScript {
  name: string
  replies: Reply[]
  end: SickEnd
  /** What the reader sees of the model's text, if it is not the usual answer. */
  text?: string
  usage?: { inputTokens: number; outputTokens: number }
}

export const usualText = 'Set **PORT** to 8080, then start it again.'
const usualUsage = { inputTokens: 120, outputTokens: 30 }
const textCounts = { input: '120', output: '30' }
const noUsage = { inputTokens: 0, outputTokens: 0 }

/** What differs between protocols. The tail is what follows the text in the recording of an answer. */
interface Dialect {
  isDelta: RegExp
  delta(text: string): object
  /** Replaces the reason of an answer that stopped by itself. */
  reasons: Record<'length' | 'content-filter' | 'unknown', readonly [found: RegExp, replacement: string]>
  setUsage(event: Record<string, unknown>, usage: { input: unknown; output: unknown } | null): void
  /** An answer that is not streamed, with a call of the search or a text. */
  whole: (content: { text: string } | { query: string }) => object
}

/** As the encoders of many languages write JSON. */
const escape = (json: string) =>
  json.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

const usualCounts = { input_tokens: 120, output_tokens: 30 }
const usualChatCounts = { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 }

/** Of chat completions, and of what imitates them. */
const wholeChat: Dialect['whole'] = (content) => {
  const call = (query: string) => ({
    id: 'call00001',
    type: 'function',
    function: { name: 'search', arguments: JSON.stringify({ query }) },
  })
  const message = 'text' in content ? { content: content.text } : { content: '', tool_calls: [call(content.query)] }
  return {
    id: 'chatcmpl-kiosk01',
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'm',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...message },
        finish_reason: 'text' in content ? 'stop' : 'tool_calls',
      },
    ],
    usage: usualChatCounts,
  }
}

// Events are JSON objects, and tests set what their protocol has in these places.
const objectAt = (value: unknown) => (value ?? {}) as Record<string, unknown>

const dialects = {
  'openai-responses': {
    isDelta: /output_text\.delta/,
    delta: (delta) => ({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta,
      sequence_number: 4,
    }),
    reasons: {
      length: [
        /response\.completed(.*)"status":"completed","error":null,"incomplete_details":null/,
        'response.incomplete$1"status":"incomplete","error":null,"incomplete_details":{"reason":"max_output_tokens"}',
      ],
      'content-filter': [
        /response\.completed(.*)"status":"completed","error":null,"incomplete_details":null/,
        'response.incomplete$1"status":"incomplete","error":null,"incomplete_details":{"reason":"content_filter"}',
      ],
      unknown: [
        /response\.completed(.*)"status":"completed","error":null,"incomplete_details":null/,
        'response.incomplete$1"status":"incomplete","error":null,"incomplete_details":{"reason":"gave_up"}',
      ],
    },
    setUsage({ type, response }, usage) {
      if (type !== 'response.completed') return
      objectAt(response)['usage'] = usage && { input_tokens: usage.input, output_tokens: usage.output }
    },
    whole: (content) => ({
      id: 'resp_1',
      object: 'response',
      created_at: 1_790_000_000,
      model: 'm',
      status: 'completed',
      output: [
        'text' in content
          ? {
              type: 'message',
              id: 'msg_1',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: content.text, annotations: [] }],
            }
          : {
              type: 'function_call',
              id: 'fc_1',
              call_id: 'call_1',
              name: 'search',
              status: 'completed',
              arguments: JSON.stringify(content),
            },
      ],
      usage: usualCounts,
    }),
  },
  'chat-completions': {
    isDelta: /"delta":\{"content":"./,
    delta: (content) => ({
      id: 'chatcmpl-kiosk01',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'm',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    }),
    reasons: {
      length: [/"finish_reason":"(?:stop|tool_calls)"/, '"finish_reason":"length"'],
      'content-filter': [/"finish_reason":"stop"/, '"finish_reason":"content_filter"'],
      unknown: [/"finish_reason":"stop"/, '"finish_reason":"gave_up"'],
    },
    setUsage(event, usage) {
      if (!('usage' in event)) return
      event['usage'] = usage && { prompt_tokens: usage.input, completion_tokens: usage.output }
    },
    whole: wholeChat,
  },
  'anthropic-messages': {
    isDelta: /text_delta/,
    delta: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
    reasons: {
      length: [/"stop_reason":"(?:end_turn|tool_use)"/, '"stop_reason":"max_tokens"'],
      'content-filter': [/"stop_reason":"end_turn"/, '"stop_reason":"refusal"'],
      unknown: [/"stop_reason":"end_turn"/, '"stop_reason":"gave_up"'],
    },
    setUsage(event, usage) {
      // The protocol's own package accepts no reply without these.
      const counts = { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 }
      if (event['type'] === 'message_start') objectAt(event['message'])['usage'] = counts
      if (event['type'] === 'message_delta') event['usage'] = counts
    },
    whole: (content) => ({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'The page names it.', signature: 'c2ln' },
        'text' in content
          ? { type: 'text', text: content.text }
          : { type: 'tool_use', id: 'toolu_1', name: 'search', input: content },
      ],
      stop_reason: 'text' in content ? 'end_turn' : 'tool_use',
      usage: usualCounts,
    }),
  },
  gemini: {
    isDelta: /"text":"[^"]/,
    delta: (text) => ({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] }),
    reasons: {
      length: [/"finishReason":"STOP"/, '"finishReason":"MAX_TOKENS"'],
      'content-filter': [/"finishReason":"STOP"/, '"finishReason":"SAFETY"'],
      unknown: [/"finishReason":"STOP"/, '"finishReason":"OTHER"'],
    },
    setUsage(event, usage) {
      if (usage === null) delete event['usageMetadata']
      else event['usageMetadata'] = { promptTokenCount: usage.input, candidatesTokenCount: usage.output }
    },
    whole: (content) => ({
      candidates: [
        {
          content: {
            parts: ['text' in content ? { text: content.text } : { functionCall: { name: 'search', args: content } }],
            role: 'model',
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 30 },
    }),
  },
  mistral: {
    isDelta: /"delta":\{"content":"[^"]/,
    delta: (content) => ({
      id: 'cmpl-kiosk01',
      object: 'chat.completion.chunk',
      created: 1_790_000_000,
      model: 'm',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    }),
    reasons: {
      length: [/"finish_reason":"(?:stop|tool_calls)"/, '"finish_reason":"model_length"'],
      'content-filter': [/"finish_reason":"stop"/, '"finish_reason":"content_filter"'],
      unknown: [/"finish_reason":"stop"/, '"finish_reason":"gave_up"'],
    },
    setUsage(event, usage) {
      if (!('usage' in event)) return
      event['usage'] = usage && {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        // The protocol's own package accepts no count without a sum.
        total_tokens: Number(usage.input) + Number(usage.output),
      }
      if (usage === null) delete event['usage']
    },
    whole: wholeChat,
  },
  cohere: {
    isDelta: /"content-delta".*"text":"./,
    delta: (text) => ({ type: 'content-delta', index: 0, delta: { message: { content: { text } } } }),
    reasons: {
      length: [/"finish_reason":"(?:COMPLETE|TOOL_CALL)"/, '"finish_reason":"MAX_TOKENS"'],
      'content-filter': [/"finish_reason":"COMPLETE"/, '"finish_reason":"ERROR_TOXIC"'],
      unknown: [/"finish_reason":"COMPLETE"/, '"finish_reason":"GAVE_UP"'],
    },
    setUsage({ type, delta }, usage) {
      if (type !== 'message-end') return
      const tokens = { input_tokens: usage?.input ?? 0, output_tokens: usage?.output ?? 0 }
      objectAt(delta)['usage'] = { billed_units: tokens, tokens }
    },
    whole: (content) => ({
      id: 'c1',
      finish_reason: 'text' in content ? 'COMPLETE' : 'TOOL_CALL',
      message: {
        role: 'assistant',
        ...('text' in content
          ? { content: [{ type: 'text', text: content.text }] }
          : {
              tool_calls: [
                { id: 'search_1', type: 'function', function: { name: 'search', arguments: JSON.stringify(content) } },
              ],
            }),
      },
      usage: { billed_units: usualCounts, tokens: usualCounts },
    }),
  },
  'bedrock-converse': {
    isDelta: /"delta":\{"text":"./,
    delta: (text) => ({ contentBlockDelta: { contentBlockIndex: 0, delta: { text } } }),
    reasons: {
      length: [/"stopReason":"(?:end_turn|tool_use)"/, '"stopReason":"max_tokens"'],
      'content-filter': [/"stopReason":"end_turn"/, '"stopReason":"content_filtered"'],
      unknown: [/"stopReason":"end_turn"/, '"stopReason":"gave_up"'],
    },
    setUsage(event, usage) {
      if (!('metadata' in event)) return
      const metadata = objectAt(event['metadata'])
      metadata['usage'] = usage && { inputTokens: usage.input, outputTokens: usage.output }
      if (usage === null) delete metadata['usage']
    },
    whole: (content) => ({
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'The page names it.', signature: 'c2ln' } } },
            'text' in content
              ? { text: content.text }
              : { toolUse: { toolUseId: 'tooluse_1', name: 'search', input: content } },
          ],
        },
      },
      stopReason: 'text' in content ? 'end_turn' : 'tool_use',
      usage: { inputTokens: 120, outputTokens: 30, totalTokens: 150 },
      metrics: { latencyMs: 812 },
    }),
  },
} satisfies Record<ModelProtocol, Dialect>

/** Everything that a provider of this protocol may do wrong, each as one script. */
export function listSickScripts(protocol: Protocol, kind: ModelProtocol): SickScript[] {
  const dialect: Dialect = dialects[kind]
  const usual = readRecording(protocol, 'text')
  const first = usual.findIndex((event) => dialect.isDelta.test(event))
  const last = usual.findLastIndex((event) => dialect.isDelta.test(event))
  const [head, body, tail] = [usual.slice(0, first), usual.slice(first, last + 1), usual.slice(last + 1)]
  const done = protocol.framing === 'data-until-done' ? 'data: [DONE]\n\n' : ''
  const write = (events: readonly string[], rest = '') =>
    Buffer.concat([...events.map((event) => frame(event, protocol.framing)), Buffer.from(rest)])
  const say = (...texts: string[]) => [...head, ...texts.map((text) => JSON.stringify(dialect.delta(text))), ...tail]
  const stream = (events: readonly string[], end: 'whole' | 'cut' | 'open' = 'whole'): Reply => ({
    type: 'stream',
    events,
    end,
  })
  const raw = (text: string | Uint8Array, headers: Record<string, string> = {}, options: object = {}): Reply => ({
    type: 'raw',
    bytes: typeof text === 'string' ? Buffer.from(text) : text,
    headers: { 'content-type': streamTypes[protocol.framing], ...headers },
    ...options,
  })
  const answer = stream(usual)
  const endWith = (events: readonly string[], reason: keyof Dialect['reasons']) =>
    events.map((event) => event.replace(...dialect.reasons[reason]))
  const countIn = (events: readonly string[], usage: { input: unknown; output: unknown } | null) =>
    events.map((text) => {
      const event = JSON.parse(text) as Record<string, unknown>
      dialect.setUsage(event, usage)
      return JSON.stringify(event)
    })
  const count = (usage: Parameters<typeof countIn>[1]) => stream(countIn(usual, usage))
  const tool = readRecording(protocol, 'tool-call')
  const empty = readRecording(protocol, 'empty')
  const brokenTool = tool.map((event) => event.replaceAll('ting\\"}', 'ting').replaceAll('setting\\"}', 'setting'))
  const middle = write([...head, ...body]).subarray(0, -12)
  const one = (name: string, end: SickEnd, reply: Reply, rest: Partial<SickScript> = {}): SickScript => ({
    name,
    end,
    replies: [reply],
    ...rest,
  })
  return [
    one('cuts the connection in the middle of a frame', 'broke', raw(middle, {}, { isCut: true })),
    one('ends in the middle of a frame', 'broke', raw(middle)),
    one('cuts the connection without an end', 'broke', stream([...head, ...body], 'cut')),
    one('ends without an end', 'broke', raw(write([...head, ...body]))),
    one('ends without an end, but with its mark', 'broke', raw(write([...head, ...body], done))),
    one('cuts the connection before its first word', 'failed', stream(head, 'cut')),
    one('says nothing at all', 'failed', raw('')),
    one('closes the connection', 'failed', { type: 'hang-up' }),
    one('falls silent in the middle', 'broke', stream([...head, ...body], 'open')),
    one('falls silent before its first word', 'failed', stream(head, 'open')),
    one('ends twice', 'whole', stream([...usual, ...tail])),
    one('counts no tokens', 'whole', count(null), { usage: noUsage }),
    one('counts less than nothing', 'whole', count({ input: -5, output: -7 }), { usage: noUsage }),
    one('counts more than there can be', 'whole', count({ input: 1e15, output: 1e15 }), { usage: noUsage }),
    one('counts parts of tokens', 'whole', count({ input: 119.5, output: 29.5 }), { usage: usualUsage }),
    one('counts nothing', 'whole', count({ input: 0, output: 0 }), { usage: noUsage }),
    one('counts in text', 'whole', count(textCounts), { usage: usualUsage }),
    one('counts in words', 'whole', count({ input: 'many', output: { text: 30 } }), { usage: noUsage }),
    one('reports an error after some text', 'broke', stream(readRecording(protocol, 'error-mid-stream'))),
    one('reports an error at once', 'failed', stream(readRecording(protocol, 'error-first'))),
    one('becomes unreadable', 'broke', stream([...head, ...body, '{"type":'])),
    one('becomes something else', 'broke', raw(write([...head, ...body], '<html><body>502</body></html>\n\n'))),
    one('answers nothing', 'said', stream(empty)),
    one('answers nothing but spaces', 'said', stream(say(' ', '\n\n'))),
    one('thinks and does not answer', 'said', stream(say('<think>', 'The page', ' names it.</think>'))),
    one('does not end its thinking', 'said', stream(say('<think>The page', ' names it.'))),
    one('thinks in its text', 'whole', stream(say('<thi', 'nk>The page.</think>', '\n\nSet it.')), { text: 'Set it.' }),
    one('filters its text', 'content-filter', stream(endWith(usual, 'content-filter'))),
    one('filters everything', 'said', stream(endWith(empty, 'content-filter'))),
    one('runs out of tokens', 'length', stream(endWith(usual, 'length'))),
    one('runs out of tokens before its first word', 'said', stream(endWith(empty, 'length'))),
    { name: 'runs out of tokens in a call', end: 'whole', replies: [stream(endWith(tool, 'length')), answer] },
    // Cohere's package ends the stream for that.
    {
      name: 'calls with broken arguments',
      end: kind === 'cohere' ? 'failed' : 'whole',
      replies: [stream(brokenTool), answer],
    },
    {
      name: 'calls a tool that there is none of',
      end: 'whole',
      replies: [stream(tool.map((event) => event.replace('"name":"search"', '"name":"format_disk"'))), answer],
    },
    { name: 'calls a tool without an end', end: 'failed', replies: [stream(tool.slice(0, 3), 'cut')] },
    one(
      'answers a page of HTML',
      'failed',
      raw('<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
    ),
    one('answers HTML as events', 'failed', raw('<!doctype html><title>Sign in</title>')),
    one(
      'answers an error with status 200',
      'failed',
      raw('{"error":{"message":"x"}}', { 'content-type': 'application/json' }),
    ),
    one('answers noise', 'failed', raw(Uint8Array.from({ length: 4_096 }, (_, index) => (index * 7_919) % 256))),
    one('claims to compress', 'failed', raw(write(usual, done), { 'content-encoding': 'gzip' })),
    ...(protocol.framing === 'amazon' ? listBinaryFramings() : listFramings()),
    ...listWholeReplies(),
    one('sends byte by byte', 'whole', raw(write(say('Größe 漢字 🎟️'), done), {}, { chunkBytes: 1 }), {
      text: 'Größe 漢字 🎟️',
    }),
    one('sends NUL and half characters', 'whole', stream(say('a\0b', '\ud83d', '\ude00', 'c\ud83d')), {
      text: 'ab😀c\ufffd',
    }),
    one('does not stop', 'length', stream(say(...Array.from({ length: 200 }, () => 'and on and on '.repeat(300))))),
    one('refuses the call', 'failed', { type: 'status', status: 400, body: '{"error":{"message":"No."}}' }),
    one('refuses in HTML', 'failed', {
      type: 'status',
      status: 403,
      body: '<html>Forbidden</html>',
      headers: { 'content-type': 'text/html' },
    }),
    one('is overloaded', 'failed', { type: 'status', status: 529, body: '' }),
    one('wants to be paid', 'failed', { type: 'status', status: 402, body: '{"error":{"message":"Pay."}}' }),
    one('has no such model', 'failed', { type: 'status', status: 404, body: '{"message":"No such model."}' }),
    one('accepts without an answer', 'failed', { type: 'status', status: 204, body: '' }),
    one('redirects', 'failed', { type: 'status', status: 307, body: '', headers: { location: '/elsewhere' } }),
    one('ends for a reason of its own', 'other', stream(endWith(usual, 'unknown'))),
    one('ends for a reason of its own before its first word', 'said', stream(endWith(empty, 'unknown'))),
    one('only calls tools', 'said', stream(tool)),
    one('sends empty pieces', 'whole', stream(say('', 'Set', '', ' it.', '')), { text: 'Set it.' }),
    one('thinks in capitals', 'whole', stream(say('<Think>The page.</THINK>Set it.')), { text: 'Set it.' }),
    one('thinks letter by letter', 'whole', stream(say(...Array.from('<thought>a < b</thought>\n\nSet it.'))), {
      text: 'Set it.',
    }),
    one('thinks twice', 'whole', stream(say('<think>a</think>\n<think>', 'b</think>Set it.')), { text: 'Set it.' }),
    one('ends a thought that it did not begin', 'whole', stream(say('</thi', 'nk>\n\nSet it.')), { text: 'Set it.' }),
    one('thinks in marks of its own', 'whole', stream(say('◁think▷a', '◁/think▷Set it.')), { text: 'Set it.' }),
    one('ends a thought further down', 'whole', stream(say('Well.\n', '</th', 'ink>\n\nSet it.')), {
      text: 'Well.\n\n\nSet it.',
    }),
    one('filters a thought', 'said', stream(endWith(say('<think>I will'), 'content-filter'))),
    one('runs out of tokens in a thought', 'said', stream(endWith(say('<think>I will'), 'length'))),
    one('answers JSON that is no event', 'failed', stream(['[]', 'null', '42', '"text"'])),
    one('repeats its beginning', 'whole', stream([...head, ...usual])),
    one('refuses with a body of 20 MB', 'failed', { type: 'status', status: 500, body: 'x'.repeat(20_000_000) }),
    one('writes about thinking', 'whole', stream(say('Set it, not ', '`<think>`.')), {
      text: 'Set it, not `<think>`.',
    }),
  ]

  function listWholeReplies(): SickScript[] {
    const { whole } = dialect
    const json = (reply: unknown) => raw(JSON.stringify(reply), { 'content-type': 'application/json' })
    const inJson = json(whole({ text: usualText }))
    return [
      one('answers in one piece of JSON', 'whole', inJson, { usage: usualUsage }),
      {
        name: 'calls and answers in one piece of JSON each',
        end: 'whole',
        replies: [json(whole({ query: 'port' })), inJson],
      },
    ]
  }

  function listBinaryFramings(): SickScript[] {
    const begun = write([...head, ...body])
    const change = (offset: number, bytes: readonly number[]) => {
      const changed = Buffer.from(begun)
      changed.set(bytes, changed.length - offset)
      return raw(changed)
    }
    const first = (bytes: readonly number[]) => Buffer.concat([Buffer.from(bytes), begun])
    return [
      one('sums up a frame wrongly', 'broke', change(2, [1, 2])),
      one('sends a frame without an end', 'failed', raw(first([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]))),
      one('sends a frame of no length', 'failed', raw(first([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))),
    ]
  }

  /** Framings of a reply that is lines of text. */
  function listFramings(): SickScript[] {
    const lines = write(usual, done).toString()
    return [
      ...[1, 7, 64].map((chunkBytes) =>
        one(
          `escapes, and counts in text, in pieces of ${chunkBytes} bytes`,
          'whole',
          raw(write(countIn(say('Größe 漢字 🎟️'), textCounts).map(escape), done), {}, { chunkBytes }),
          { text: 'Größe 漢字 🎟️', usage: usualUsage },
        ),
      ),
      one('sends 10 MB at once', 'failed', stream(say('x'.repeat(10_000_000)))),
      one('sends 10 MB after some text', 'broke', stream(say('Set it.', 'x'.repeat(10_000_000)))),
      one('begins with a mark of byte order', 'whole', raw(`\uFEFF${lines}`)),
      one('compresses', 'whole', raw(gzipSync(lines), { 'content-encoding': 'gzip' })),
      one('answers only its mark', 'failed', raw('data: [DONE]\n\n')),
      one('leaves out its mark', 'whole', raw(write(usual))),
      one('names another type', 'whole', raw(lines, { 'content-type': 'text/plain' })),
      one('writes lines as Windows does', 'whole', raw(lines.replaceAll('\n', '\r\n'))),
      one('sends comments and unknown fields', 'whole', raw(`: hello\n\nretry: 5\n\n${lines}: bye\n\n`)),
    ]
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyAnswer, anyCuts, splitBytes } from '../../test/wire/arbitrary-answer.ts'
import { toAsync, toList } from '../../test/wire/async-lists.ts'
import { fullAnswer } from '../../test/wire/scripted-answers.ts'
import type { AnswerEvent } from './answer-event.ts'
import { createUiMessageDecoder, createUiMessageEncoder, decodeUiMessageStream } from './ui-message-stream.ts'

function encodeAll(events: Iterable<AnswerEvent>, isSdkClient: boolean): string {
  const encode = createUiMessageEncoder({ isSdkClient })
  return Array.from(events, (event) => encode(event)).join('')
}

const fullAnswerHead = String.raw`data: {"type":"start","messageId":"msg_1","messageMetadata":{"threadId":"th_1"}}

data: {"type":"start-step"}

data: {"type":"tool-input-start","toolCallId":"call_1","toolName":"search","providerExecuted":true}

data: {"type":"tool-input-available","toolCallId":"call_1","toolName":"search","input":{"query":"start"},"providerExecuted":true}

data: {"type":"tool-output-available","toolCallId":"call_1","output":[{"path":"/quickstart","content":"Run it.","metadata":{"title":"Quickstart","href":"/quickstart"}}],"providerExecuted":true}

data: {"type":"tool-input-start","toolCallId":"call_2","toolName":"search","providerExecuted":true}

data: {"type":"tool-input-available","toolCallId":"call_2","toolName":"search","input":{"query":"broken"},"providerExecuted":true}

data: {"type":"tool-output-error","toolCallId":"call_2","errorText":"The search took too long.","providerExecuted":true}

data: {"type":"finish-step"}

data: {"type":"start-step"}

data: {"type":"reasoning-start","id":"reasoning_1"}

data: {"type":"reasoning-delta","id":"reasoning_1","delta":"It asks for the start."}

data: {"type":"reasoning-end","id":"reasoning_1"}

data: {"type":"source-url","sourceId":"/quickstart#run","url":"https://docs.example/quickstart#run:~:text=Run%20it","title":"Quickstart: Run","providerMetadata":{"docent":{"number":1,"path":"/quickstart","anchor":"run","headings":["Run"],"revision":"r1"}}}

data: {"type":"text-start","id":"text_1"}

data: {"type":"text-delta","id":"text_1","delta":"Hello "}

data: {"type":"data-docent-citation","id":"c1","data":{"number":"1","sourceIds":["/quickstart#run"],"url":"https://docs.example/quickstart#run:~:text=Run%20it","title":"Quickstart: Run","description":"Run","quote":"Run it.","answer":{"textId":"text_1","start":0,"end":6},"source":{"path":"/quickstart","anchor":null,"headings":["Run"],"revision":"r1","commit":null,"file":null,"lines":null,"sha256":null,"version":null,"language":null},"verdict":"no-facts"}}

data: {"type":"text-delta","id":"text_1","delta":"line\u2028separator\u2029\u0085, half \ud83d"}

data: {"type":"text-delta","id":"text_1","delta":"\ude00 emoji, \"quotes\" \\ "}

data: {"type":"text-delta","id":"text_1","delta":"\n\n§§§sh\nrun\r\n§§§\n data: [DONE]\n\n"}

data: {"type":"text-delta","id":"text_1","delta":"\u0000 0:\"x\"\n漢字"}

data: {"type":"text-end","id":"text_1"}

data: {"type":"finish-step"}

data: {"type":"data-thread","data":{"threadId":"th_1"},"transient":true}

`.replaceAll('§', '`')

describe('bytes', () => {
  it('are pinned for an AI SDK client [v2-bytes] [v2-finish-strict] [v2-nothing-after-done] [one-line-json]', () => {
    expect(encodeAll(fullAnswer('th_1'), true)).toBe(
      `${fullAnswerHead}data: {"type":"finish","messageMetadata":{"verdict":"answered","commit":null,"threadId":"th_1"}}\n\ndata: [DONE]\n\n`,
    )
  })

  it('are pinned for any other client [v2-bytes] [v2-finish-raw]', () => {
    expect(encodeAll(fullAnswer('th_1'), false)).toBe(
      `${fullAnswerHead}data: {"type":"finish","finishReason":"stop","threadId":"th_1","messageMetadata":{"verdict":"answered","commit":null,"threadId":"th_1"}}\n\ndata: [DONE]\n\n`,
    )
  })

  it('of a failure are the error and the end [v2-error]', () => {
    expect(encodeAll([{ type: 'answer-failed', message: 'Ask again.' }], true)).toBe(
      'data: {"type":"error","errorText":"Ask again."}\n\ndata: [DONE]\n\n',
    )
  })

  it('hold the thread id whatever the metadata says', () => {
    const usage = { inputTokens: 0, outputTokens: 0 }
    const text = encodeAll(
      [{ type: 'answer-finished', threadId: 'real', finishReason: 'stop', usage, metadata: { threadId: 'other' } }],
      true,
    )

    expect(text).toContain('{"type":"finish","messageMetadata":{"threadId":"real"}}')
  })
})

/** Keys of each frame that AI SDK 5.0.0 knows; one more fails the answer there. */
const keysOfOldest: Record<string, string[]> = {
  start: ['messageId', 'messageMetadata'],
  'start-step': [],
  'finish-step': [],
  'text-start': ['id', 'providerMetadata'],
  'text-delta': ['id', 'delta', 'providerMetadata'],
  'text-end': ['id', 'providerMetadata'],
  'reasoning-start': ['id', 'providerMetadata'],
  'reasoning-delta': ['id', 'delta', 'providerMetadata'],
  'reasoning-end': ['id', 'providerMetadata'],
  'tool-input-start': ['toolCallId', 'toolName', 'providerExecuted', 'dynamic'],
  'tool-input-available': ['toolCallId', 'toolName', 'input', 'providerExecuted', 'dynamic', 'providerMetadata'],
  'tool-output-available': ['toolCallId', 'output', 'providerExecuted', 'dynamic'],
  'tool-output-error': ['toolCallId', 'errorText', 'providerExecuted', 'dynamic'],
  'source-url': ['sourceId', 'url', 'title', 'providerMetadata'],
  'data-thread': ['id', 'data', 'transient'],
  'data-suggestions': ['id', 'data', 'transient'],
  'data-docent-citation': ['id', 'data', 'transient'],
  // Unknown to it, and sent only to clients that accept it.
  'reset-step': [],
  error: ['errorText'],
  finish: ['messageMetadata'],
}

it('suggested pages are one data part [v2-suggestions]', () => {
  const items = [{ title: 'Install', path: '/install', url: 'https://docs.example.com/install' }]

  expect(createUiMessageEncoder({ isSdkClient: true })({ type: 'pages-suggested', items })).toBe(
    'data: {"type":"data-suggestions","data":{"items":[{"title":"Install","path":"/install","url":"https://docs.example.com/install"}]}}\n\n',
  )
})

describe('frames of any answer', () => {
  it('have only keys that the oldest release knows, and no null among the optional ones [v2-portable-keys]', () => {
    fc.assert(
      fc.property(anyAnswer, (events) => {
        for (const event of encodeAll(events, true).split('\n\n').slice(0, -2)) {
          const { type, ...rest } = JSON.parse(event.slice('data: '.length))
          expect(keysOfOldest[type]).toEqual(expect.arrayContaining(Object.keys(rest)))
          expect([rest.title, rest.messageMetadata, rest.providerExecuted, rest.providerMetadata]).not.toContain(null)
        }
      }),
    )
  })

  it('stand on one line each for every reader of lines [one-line-json]', () => {
    fc.assert(
      fc.property(anyAnswer, fc.boolean(), (events, isSdkClient) => {
        expect(encodeAll(events, isSdkClient)).not.toMatch(/[\r\u0085\u2028\u2029]|\p{Surrogate}/u)
      }),
    )
  })

  it('are read as they were written, in any split of the bytes [round-trip]', () => {
    fc.assert(
      fc.property(anyAnswer, anyCuts, fc.boolean(), (events, cuts, isSdkClient) => {
        const text = encodeAll(events, isSdkClient)
        const decoder = createUiMessageDecoder()

        const frames = [...splitBytes(text, cuts)].flatMap((chunk) => decoder.push(chunk))
        decoder.end()

        const written = text.split('\n\n').slice(0, -2)
        expect(frames).toEqual(written.map((event) => JSON.parse(event.slice('data: '.length))))
        expect(readDeltas(frames)).toEqual(readDeltas(events))
      }),
    )
  })
})

function readDeltas(items: readonly { type: string; delta?: unknown; text?: unknown }[]): unknown[] {
  return items.filter(({ type }) => type.endsWith('-delta')).map(({ delta, text }) => delta ?? text)
}

const decode = (...chunks: string[]) => toList(decodeUiMessageStream(toAsync(chunks)))

describe('the decoder', () => {
  it('reads what the standard allows: marks, comments, other fields, CR and CR LF, data on several lines', async () => {
    const frames = await decode(
      '\ufeff: ping\r\nevent: x\rid: 1\r',
      '\ndata:{"type":\r',
      '\ndata: "start-step"}\r\n\r\ndata: [DO',
      'NE]\n\n',
    )

    expect(frames).toEqual([{ type: 'start-step' }])
  })

  it('skips frames of a type that it does not know and all that follows [DONE]', async () => {
    const frames = await decode('data: {"type":"later"}\n\ndata: [DONE]\n\ndata: {"type":"start-step"}\n\n')

    expect(frames).toEqual([])
  })

  it('says so when the stream breaks off', async () => {
    await expect(decode('data: {"type":"start-step"}\n\n')).rejects.toThrow('broke off before its end')
  })

  const deep = `data: {"type":"start","messageMetadata":{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}}\n\n`
  it.each(['data: {\n\n', 'data: {"type":"text-delta"}\n\n', 'data: null\n\n', deep])('refuses %j', async (text) => {
    await expect(decode(text)).rejects.toThrow('The answer contains a')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyAnswer, anyCuts, splitBytes } from '../../test/wire/arbitrary-answer.ts'
import { toAsync, toList } from '../../test/wire/async-lists.ts'
import { fullAnswer } from '../../test/wire/scripted-answers.ts'
import type { AnswerEvent } from './answer-event.ts'
import { createDataStreamDecoder, createDataStreamEncoder, decodeDataStream } from './data-stream.ts'

function encodeAll(events: Iterable<AnswerEvent>): string {
  const encode = createDataStreamEncoder()
  return Array.from(events, (event) => encode(event)).join('')
}

const fullAnswerText = String.raw`f:{"messageId":"msg_1"}
9:{"toolCallId":"call_1","toolName":"search","args":{"query":"start"}}
a:{"toolCallId":"call_1","result":[{"path":"/quickstart","content":"Run it.","metadata":{"title":"Quickstart","href":"/quickstart"}}]}
9:{"toolCallId":"call_2","toolName":"search","args":{"query":"broken"}}
a:{"toolCallId":"call_2","result":[],"error":"The search took too long."}
e:{"finishReason":"tool-calls","usage":{"promptTokens":3,"completionTokens":1},"isContinued":false}
f:{"messageId":"msg_1"}
g:"It asks for the start."
8:[{"type":"source","sourceType":"url","id":"/quickstart#run","url":"https://docs.example/quickstart#run:~:text=Run%20it","title":"Quickstart: Run","providerMetadata":{"docent":{"number":1,"path":"/quickstart","anchor":"run","headings":["Run"],"revision":"r1"}}}]
0:"Hello "
8:[{"type":"citation","id":"c1","number":"1","sourceIds":["/quickstart#run"],"url":"https://docs.example/quickstart#run:~:text=Run%20it","title":"Quickstart: Run","description":"Run","quote":"Run it.","answer":{"textId":"message","start":0,"end":6},"source":{"path":"/quickstart","anchor":null,"headings":["Run"],"revision":"r1","commit":null,"file":null,"lines":null,"sha256":null,"version":null,"language":null},"verdict":"no-facts"}]
0:"line\u2028separator\u2029\u0085, half \ud83d"
0:"\ude00 emoji, \"quotes\" \\ "
0:"\n\n§§§sh\nrun\r\n§§§\n data: [DONE]\n\n"
0:"\u0000 0:\"x\"\n漢字"
e:{"finishReason":"stop","usage":{"promptTokens":5,"completionTokens":2},"isContinued":false}
2:[{"type":"finish","threadId":"th_1","metadata":{"verdict":"answered","commit":null}}]
8:[{"type":"thread","threadId":"th_1"}]
d:{"type":"finish","finishReason":"stop","usage":{"promptTokens":8,"completionTokens":3},"threadId":"th_1"}
`.replaceAll('§', '`')

describe('bytes', () => {
  it('are pinned [v1-bytes] [v1-thread] [one-line-json]', () => {
    expect(encodeAll(fullAnswer('th_1'))).toBe(fullAnswerText)
  })

  it('place a sentence in the whole text, because its clients know no text parts', () => {
    const cited = Array.from(fullAnswer('th_1')).filter((event) => event.type === 'sentence-cited')
    const lines = encodeAll([
      { type: 'text-started', id: 'opening' },
      { type: 'text-delta', id: 'opening', text: 'The file was not read.\n\n' },
      { type: 'text-ended', id: 'opening' },
      { type: 'text-started', id: 'text_1' },
      { type: 'text-delta', id: 'text_1', text: 'Run it. Then stop.' },
      ...cited,
    ])

    expect(lines).toContain('"answer":{"textId":"message","start":24,"end":30}')
  })

  it('of a failure are one line [v1-error]', () => {
    expect(encodeAll([{ type: 'answer-failed', message: 'Ask again.' }])).toBe('3:"Ask again."\n')
  })
})

describe('lines of any answer', () => {
  it('have only codes that the oldest release knows [v1-portable-codes]', () => {
    fc.assert(
      fc.property(anyAnswer, (events) => {
        for (const line of encodeAll(events).split('\n').slice(0, -1)) expect(line).toMatch(/^[02389abcdefg]:/)
      }),
    )
  })

  it('stand on one line each for every reader of lines [one-line-json]', () => {
    fc.assert(
      fc.property(anyAnswer, (events) => {
        expect(encodeAll(events)).not.toMatch(/[\r\u0085\u2028\u2029]|\p{Surrogate}/u)
      }),
    )
  })

  it('are read as they were written, in any split of the bytes [round-trip]', () => {
    fc.assert(
      fc.property(anyAnswer, anyCuts, (events, cuts) => {
        const text = encodeAll(events)
        const decoder = createDataStreamDecoder()

        const frames = [...splitBytes(text, cuts)].flatMap((chunk) => decoder.push(chunk))
        decoder.end()

        const written = text.split('\n').slice(0, -1)
        expect(frames).toEqual(written.map((line) => ({ code: line.charAt(0), value: JSON.parse(line.slice(2)) })))
        const texts = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))
        expect(frames.flatMap((frame) => (frame.code === '0' ? [frame.value] : []))).toEqual(texts)
      }),
    )
  })
})

const decode = (...chunks: string[]) => toList(decodeDataStream(toAsync(chunks)))

describe('the decoder', () => {
  it('skips heartbeats and codes that it does not know', async () => {
    const frames = await decode('\n\r\nh:{}\n0:"a', '"\n3:"Ask again."\n')

    expect(frames).toEqual([
      { code: '0', value: 'a' },
      { code: '3', value: 'Ask again.' },
    ])
  })

  it('says so when the stream breaks off', async () => {
    await expect(decode('0:"a"\n')).rejects.toThrow('broke off before its end')
  })

  const deep = `2:${'['.repeat(5_000)}${']'.repeat(5_000)}\n`
  it.each(['0:{\n', '0:1\n', 'oops\n', 'data: {}\n', deep])('refuses %j', async (text) => {
    await expect(decode(text)).rejects.toThrow('The answer contains a')
  })
})

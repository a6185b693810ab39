import fc from 'fast-check'
import { createDataStreamDecoder } from '../../src/contract/data-stream.ts'
import { type FrameDecoder, StreamFormatError } from '../../src/contract/frame-decoder.ts'
import { createUiMessageDecoder } from '../../src/contract/ui-message-stream.ts'
import { decodeAgentJobEvents } from '../../src/contract/agent-job-event.ts'
import { toList } from '../wire/async-lists.ts'
import { type FuzzTarget, makeTarget } from './fuzz-target.ts'
import { hostileText, hostileValue, mutate, mutation } from './hostile-values.ts'

const uiFrames: readonly object[] = [
  { type: 'start', messageId: 'm1', messageMetadata: { threadId: 't1' } },
  { type: 'start-step' },
  { type: 'tool-input-start', toolCallId: 'c1', toolName: 'search' },
  { type: 'tool-input-available', toolCallId: 'c1', toolName: 'search', input: { query: 'install' } },
  { type: 'tool-output-available', toolCallId: 'c1', output: [{ path: '/a', content: 'b' }] },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Run it.' },
  { type: 'text-end', id: '0' },
  { type: 'source-url', sourceId: 's1', url: 'https://docs.example/a', title: 'A' },
  { type: 'error', errorText: 'No.' },
  { type: 'finish-step' },
  { type: 'finish', messageMetadata: { threadId: 't1' } },
]
const dataFrames: readonly (readonly [code: string, value: unknown])[] = [
  ['f', { messageId: 'm1' }],
  ['9', { toolCallId: 'c1', toolName: 'search', args: { query: 'install' } }],
  ['a', { toolCallId: 'c1', result: [{ path: '/a' }] }],
  ['0', 'Run it.'],
  ['8', [{ type: 'source', url: 'https://docs.example/a' }]],
  ['2', [1]],
  ['3', 'No.'],
  ['e', { finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 2 }, isContinued: false }],
  ['d', { finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 2 }, threadId: 't1' }],
]
const jobEvents: readonly object[] = [
  { type: 'job-started', at: '2026-01-01T00:00:00.000Z' },
  { type: 'job-ended', status: 'completed' },
]

const lineEnd = fc.constantFrom('\n', '\n\n', '\r\n', '\r\n\r\n', '\r', '')
const changed = (value: fc.Arbitrary<unknown>) =>
  fc.tuple(value, fc.option(mutation, { nil: null })).map(([from, how]) => (how === null ? from : mutate(from, how)))
const json = (value: unknown) => JSON.stringify(value) ?? ''

const eventLine = (frames: readonly object[]) =>
  fc
    .tuple(
      fc.constantFrom('data: ', 'data:', 'data', 'event: x', 'id: 7\n', ': ping', 'retry: 1\n'),
      changed(fc.constantFrom(...frames)),
      lineEnd,
    )
    .map(
      ([field, value, end]) =>
        `${field.startsWith('data') || field.endsWith('\n') ? field + json(value) : field}${end}`,
    )
const codeLine = fc
  .tuple(fc.constantFrom(...dataFrames), changed(hostileValue), fc.boolean(), lineEnd)
  .map(([[code, value], other, isOther, end]) => `${code}:${json(isOther ? other : value)}${end}`)
const noise = fc.oneof(hostileText, fc.constantFrom('data: [DONE]\n\n', 'data: [DONE', '\u0000', '0:', ':', 'z:1\n'))

/** Text of a stream, and where it is cut into pieces. */
const streamOf = (line: fc.Arbitrary<string>) =>
  fc.record({
    text: fc
      .array(fc.oneof({ weight: 5, arbitrary: line }, { weight: 1, arbitrary: noise }), { maxLength: 8 })
      .map((lines) => lines.join('')),
    cuts: fc.array(fc.nat(400), { maxLength: 6 }),
  })

interface CutText {
  text: string
  cuts: number[]
}

/** Decoders throw one error and no other, and read the same wherever the text is cut. */
export function fuzzDecoders(): FuzzTarget[] {
  return [
    decoderTarget('answer stream v2', streamOf(eventLine(uiFrames)), createUiMessageDecoder),
    decoderTarget('answer stream v1', streamOf(codeLine), createDataStreamDecoder),
    makeTarget({
      name: 'job events',
      share: 0.05,
      arbitrary: streamOf(eventLine(jobEvents)),
      check: async ({ text, cuts }) => {
        const whole = await readEvents([text])
        if (json(await readEvents(cutText(text, cuts))) !== json(whole)) throw new Error('Pieces read otherwise.')
      },
    }),
  ]
}

function decoderTarget(name: string, arbitrary: fc.Arbitrary<CutText>, create: () => FrameDecoder<unknown>) {
  return makeTarget({
    name,
    share: 0.1,
    arbitrary,
    async check({ text, cuts }) {
      const whole = decode(create(), [text])
      const inPieces = decode(create(), cutText(text, cuts))
      if (json(inPieces) !== json(whole)) throw new Error(`${json(whole)} in one piece, ${json(inPieces)} in several.`)
    },
  })
}

function cutText(text: string, cuts: readonly number[]): string[] {
  const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
  return at.slice(1).map((end, index) => text.slice(at[index], end))
}

/** The refusal in place of the frames, because what was read before it depends on the pieces. */
function decode(decoder: FrameDecoder<unknown>, pieces: readonly string[]): unknown {
  try {
    const frames = pieces.flatMap((piece) => decoder.push(piece))
    decoder.end()
    return frames
  } catch (error) {
    if (error instanceof StreamFormatError) return { refused: error.message.slice(0, 40) }
    throw error
  }
}

async function readEvents(pieces: readonly string[]): Promise<unknown> {
  async function* chunks() {
    yield* pieces
  }
  try {
    return await toList(decodeAgentJobEvents(chunks()))
  } catch (error) {
    if (error instanceof StreamFormatError) return { refused: true }
    throw error
  }
}

import { expect, it } from 'vitest'
import { EventRepairer } from './repair-events.ts'

function repair(text: string, pieceBytes: number): string {
  const repairer = new EventRepairer()
  const bytes = Buffer.from(text)
  const pieces: Uint8Array[] = []
  for (let from = 0; from < bytes.length; from += pieceBytes)
    pieces.push(repairer.repair(bytes.subarray(from, from + pieceBytes)))
  return Buffer.concat([...pieces, repairer.finish()]).toString('utf8')
}

const counts = (usage: unknown) => `data: ${JSON.stringify({ text: 'Größe 漢字', usage })}\n\n`

it.each([
  [
    { prompt_tokens: '12', completion_tokens: 7 },
    { prompt_tokens: 12, completion_tokens: 7 },
  ],
  [
    { prompt_tokens: { text: 1 }, total_tokens: 'x' },
    { prompt_tokens: 0, total_tokens: 0 },
  ],
  [
    { input_tokens: 12, output_tokens: null, cache_read_input_tokens: null },
    { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0 },
  ],
  ['none', null],
  [[], null],
  [{ prompt_tokens_details: [] }, { prompt_tokens_details: null }],
  [{ prompt_tokens_details: 'none' }, { prompt_tokens_details: null }],
  [{ details: [{ tokenCount: '3', modality: 'TEXT' }] }, { details: [{ tokenCount: 3, modality: 'TEXT' }] }],
])('makes numbers of counts: %j', (usage, repaired) => {
  expect(repair(counts(usage), 1_000)).toBe(counts(repaired))
  for (let cut = 1; cut < Buffer.byteLength(counts(usage)); cut++)
    expect(repair(counts(usage), cut)).toBe(counts(repaired))
})

it('takes a count that is no finite number for none', () => {
  const event = 'data: {"usage":{"prompt_tokens":1e400,"completion_tokens":3}}\n\n'

  expect(repair(event, 7)).toBe('data: {"usage":{"prompt_tokens":0,"completion_tokens":0}}\n\n')
})

it('renames a key that provider packages refuse, but no text', () => {
  const event = String.raw`data: {"args":{"__proto__": {"a":1},"b":"\"__proto__\": 1"}}` + '\n\n'
  const built = 'data: {"args":{"constructor": {"a":1,"prototype":{}}}}\n\n'

  expect(repair(event, 7)).toBe(event.replace('{"__proto__":', '{"_proto_":'))
  expect(repair(built, 7)).toBe(built.replace('"constructor"', '"_constructor_"'))
})

it('renames such a key however its letters are escaped, but no text', () => {
  const event =
    String.raw`data: {"args":{"\u005f\u005Fproto__": 1,"__\u0070\u0072oto__":{},"b":"\"\u005f_proto__\": 1"}}` + '\n\n'
  const built = String.raw`data: {"args":{"\u0063onstructor": {"proto\u0074ype":{}}}}` + '\n\n'
  const other = String.raw`data: {"args":{"\u005fproto__":1,"\\u005f_proto__":1,"\u0041__proto__":1}}` + '\n\n'

  expect(repair(event, 7)).toBe(
    String.raw`data: {"args":{"_proto_": 1,"_proto_":{},"b":"\"\u005f_proto__\": 1"}}` + '\n\n',
  )
  expect(repair(built, 7)).toBe(String.raw`data: {"args":{"_constructor_": {"proto\u0074ype":{}}}}` + '\n\n')
  expect(repair(other, 7)).toBe(other)
})

it('leaves a key alone that provider packages accept', () => {
  const event = 'data: {"args":{"constructor": "a","b": {"constructor":{}}}}\n\n'

  expect(repair(event, 7)).toBe(event)
})

it.each(['data:\n\n', 'data: \r\n\r\n'])('makes a comment of an event without data: %j', (empty) => {
  const repaired = repair(`${empty}data: {"a":1}\n\n${empty}`, 3)

  expect(repaired).not.toMatch(/^data: ?$/m)
  expect(repaired).toContain('data: {"a":1}\n\n')
})

it('keeps escaped characters', () => {
  const event = { text: 'Größe 漢字 😀', usage: { prompt_tokens: '12' } }
  const escaped = JSON.stringify(event).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

  expect(JSON.parse(repair(`data: ${escaped}\n\n`, 1_000).slice(6))).toEqual({ ...event, usage: { prompt_tokens: 12 } })
})

it('passes each line on once it has ended, whatever ends it', () => {
  const repairer = new EventRepairer()
  const pass = (text: string) => Buffer.from(repairer.repair(Buffer.from(text))).toString()

  expect([pass('data: 1\r'), pass('\n\r\ndata'), pass(': 2'), pass('\n\n')]).toEqual([
    'data: 1\r',
    '\n\r\n',
    '',
    'data: 2\n\n',
  ])
})

it('leaves other events as they are, byte for byte, however they are cut', () => {
  const text = `: ping\n\nevent: a\ndata: {"a": 1.0, "text":"\\"usage\\": \\"prompt_tokens\\":\\"12\\""}\n\n${counts({ prompt_tokens: 1.5, tier: 'x' })}data: {"usage": nonsense}\n\ndata: [DONE]\n\n`

  for (const pieceBytes of [1, 7, 30, 1_000]) expect(repair(text, pieceBytes)).toBe(text)
  const line = counts({ prompt_tokens: 1 })
  for (let cut = 1; cut < Buffer.byteLength(line); cut++) expect(repair(line, cut)).toBe(line)
})

it.each([
  ['data: {}', 'data: {}\n\n'],
  ['data: {}\n', 'data: {}\n\n\n'],
  ['data: {}\r\r', 'data: {}\r\r\n\n'],
  ['data: {"usage":{"a_tokens":"1"}}', 'data: {"usage":{"a_tokens":1}}\n\n'],
  ['data: {}\r\n\r\n', 'data: {}\r\n\r\n'],
  ['', ''],
  ['data: {}\n\ndata: {"a":[1,', 'data: {}\n\n'],
  ['data: [DONE]', 'data: [DONE]\n\n'],
])('ends the last event, and drops one that is cut short: %j', (text, ended) => {
  expect(repair(text, 1_000)).toBe(ended)
})

it('leaves the input of a tool as it is', () => {
  const event = {
    parts: [{ functionCall: { name: 'edit', args: { usage: 'Run it.', b: { usage: { max_tokens: '1' } } } } }],
  }
  const usageMetadata = { promptTokenCount: '7' }

  expect(repair(`data: ${JSON.stringify({ ...event, usageMetadata })}\n\n`, 1_000)).toBe(
    `data: ${JSON.stringify({ ...event, usageMetadata: { promptTokenCount: 7 } })}\n\n`,
  )
})

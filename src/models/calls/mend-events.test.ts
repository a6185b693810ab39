import { expect, it } from 'vitest'
import { EventMender } from './mend-events.ts'

function mend(text: string, pieceBytes: number): string {
  const mender = new EventMender()
  const bytes = Buffer.from(text)
  const pieces: Uint8Array[] = []
  for (let from = 0; from < bytes.length; from += pieceBytes)
    pieces.push(mender.mend(bytes.subarray(from, from + pieceBytes)))
  return Buffer.concat([...pieces, mender.finish()]).toString('utf8')
}

const counts = (usage: unknown) => `data: ${JSON.stringify({ text: 'Größe 漢字', usage })}\n\n`

it.each([
  [
    { prompt_tokens: '12', completion_tokens: 7 },
    { prompt_tokens: 12, completion_tokens: 7 },
  ],
  [
    { prompt_tokens: { text: 1 }, total_tokens: 'x' },
    { prompt_tokens: null, total_tokens: null },
  ],
  [{ prompt_tokens_details: 'none' }, { prompt_tokens_details: null }],
  [{ details: [{ tokenCount: '3', modality: 'TEXT' }] }, { details: [{ tokenCount: 3, modality: 'TEXT' }] }],
])('makes numbers of counts: %j', (usage, mended) => {
  expect(mend(counts(usage), 1_000)).toBe(counts(mended))
  // The word that it looks for may be cut, and then everything stays as it was.
  expect(mend(`data: {"a":1}\n\n${counts(usage)}`, 60)).toBe(`data: {"a":1}\n\n${counts(mended)}`)
})

it('leaves other events as they are, byte for byte, however they are cut', () => {
  const text = `: ping\n\nevent: a\ndata: {"a": 1.0, "text":"\\"usage\\": \\"prompt_tokens\\":\\"12\\""}\n\n${counts({ prompt_tokens: 1.5, tier: 'x' })}data: {"usage": nonsense}\n\ndata: [DONE]\n\n`

  for (const pieceBytes of [1, 7, 30, 1_000]) expect(mend(text, pieceBytes)).toBe(text)
  const line = counts({ prompt_tokens: 1 })
  for (let cut = 1; cut < Buffer.byteLength(line); cut++) expect(mend(line, cut)).toBe(line)
})

it.each([
  ['data: {}', 'data: {}\n\n'],
  ['data: {}\n', 'data: {}\n\n\n'],
  ['data: {}\r\r', 'data: {}\r\r\n\n'],
  ['data: {"usage":{"a_tokens":"1"}}', 'data: {"usage":{"a_tokens":1}}\n\n'],
  ['data: {}\r\n\r\n', 'data: {}\r\n\r\n'],
  ['', ''],
])('ends the last event: %j', (text, ended) => {
  expect(mend(text, 1_000)).toBe(ended)
})

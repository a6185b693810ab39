import { expect, it } from 'vitest'
import { encodeStreamJson } from '../../contract/stream-json.ts'
import { readGivenAnswer } from './read-given-answer.ts'

async function* streamOf(...frames: object[]) {
  for (const frame of frames) yield `data: ${encodeStreamJson(frame)}\n\n`
  yield 'data: [DONE]\n\n'
}

it('reads the pages that an answer links by the addresses of what tools returned', async () => {
  const page = (path: string) => ({ path, content: '', metadata: { href: `https://docs.example.com${path}#top` } })
  const text = 'See [A](https://docs.example.com/a#x) and [B](https://docs.example.com/b).'
  const stream = streamOf(
    { type: 'tool-output-available', toolCallId: '1', output: [page('/a'), page('/c')] },
    { type: 'tool-output-available', toolCallId: '2', output: page('/b') },
    { type: 'tool-output-available', toolCallId: '3', output: 'There is no page.' },
    { type: 'text-delta', id: 't', delta: text },
    {
      type: 'source-url',
      sourceId: '/a#x',
      url: 'https://docs.example.com/a#x',
      providerMetadata: { docent: { path: '/a', headings: [], revision: 'r', version: 'v2' } },
    },
    { type: 'finish', messageMetadata: { answered: true, verdict: 'supported' } },
  )

  expect(await readGivenAnswer(stream, 'q')).toEqual({
    text,
    isAnswered: true,
    verdict: 'supported',
    sources: [{ path: '/a', version: 'v2' }],
    links: ['/a', '/b'],
  })
})

it('fails with the sentence of an answer that failed', async () => {
  await expect(readGivenAnswer(streamOf({ type: 'error', errorText: 'No.' }), 'Why?')).rejects.toThrow(
    'The answer to “Why?” failed: No.',
  )
})

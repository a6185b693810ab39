import { expect, it } from 'vitest'
import type { Transcript } from '../../../../src/contract/threads.ts'
import { type PlaygroundMessage, readMessage, toMessages } from './playground-message.ts'
import { readSettings, siteSettings } from './playground-settings.ts'

const asked = {
  id: 'q',
  role: 'user',
  text: 'What is E-42?',
  sources: [],
  citations: [],
  verdict: null,
  verdictReasons: [],
}
const answered = {
  id: 'a',
  role: 'assistant',
  text: 'No paper.',
  sources: [{ url: 'https://docs.example.com/printers', title: 'Printers' }],
  citations: [],
  verdict: 'supported',
  verdictReasons: ['All is held.'],
  model: 'test/model',
  usage: { inputTokens: 10, outputTokens: 5 },
  costUsd: 0.25,
  timings: { firstTextMs: 120, totalMs: 400 },
}

it('shows a stored conversation as it would show one that was just held', () => {
  // Only what is looked at of a message.
  const stored = { messages: [asked, answered] } as unknown as Transcript

  const [question, answer] = toMessages(stored).map(readMessage)

  expect(question).toMatchObject({ text: 'What is E-42?', sources: [], verdict: null, cost: null })
  expect(answer).toMatchObject({
    text: 'No paper.',
    sources: answered.sources,
    verdict: { verdict: 'supported', reasons: ['All is held.'] },
    timings: { firstTextMs: 120, totalMs: 400 },
    cost: { model: 'test/model', costUsd: 0.25 },
  })
})

it('names the tools that are at work, and none that have returned', () => {
  const parts = [
    { type: 'tool-search', toolCallId: '1', state: 'output-available', input: {}, output: [] },
    { type: 'tool-readPage', toolCallId: '2', state: 'input-available', input: {} },
  ] as unknown as PlaygroundMessage['parts'] // As the SDK makes them of a stream.

  expect(readMessage({ parts }).running).toEqual(['readPage'])
})

it('sends only settings that differ from those of the site', () => {
  expect(readSettings(siteSettings)).toEqual({})
  expect(
    readSettings({
      ...siteSettings,
      instructions: '',
      pageSize: '3',
      tag: 'api',
      groups: ' staff, beta ',
      skills: false,
    }),
  ).toEqual({
    instructions: '',
    retrievalPageSize: 3,
    filter: { tag: 'api' },
    groups: ['staff', 'beta'],
    skills: false,
  })
})

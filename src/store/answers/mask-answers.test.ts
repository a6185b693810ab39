import { expect, it } from 'vitest'
import type { Citation } from '../../contract/citations.ts'
import type { WriteGroup } from '../write-group.ts'
import { maskAnswers } from './mask-answers.ts'
import type { AnswerRecord } from './write-answers.ts'

const text = 'Write to me@example.com. Run it. Send 1 to you@example.com.'

function cite(sentence: string, of = text): Citation {
  const start = of.indexOf(sentence)
  // Masking reads only the place of a citation.
  return { answer: { textId: 'message', start, end: start + sentence.length } } as Citation
}

async function mask(citations: Citation[], of = text) {
  const added: AnswerRecord[] = []
  // Only `add` is used, of messages only what may hold secrets.
  const writes = maskAnswers({ add: async (record: AnswerRecord) => void added.push(record) } as WriteGroup)
  await writes.add({ messages: [{ text: of, citations, verdictReasons: [], asked: null }] } as unknown as AnswerRecord)
  const [message] = added[0]?.messages ?? []
  return message?.citations.map(({ answer }) => message.text.slice(answer.start, answer.end))
}

it('keeps citations at their sentences in a masked text', async () => {
  expect(await mask([cite('Write to me@example.com.'), cite('Run it.'), cite('Send 1 to you@example.com.')])).toEqual([
    'Write to [e-mail].',
    'Run it.',
    'Send 1 to [e-mail].',
  ])
})

it('drops a citation whose end a mask covers', async () => {
  expect(await mask([cite('Write to me@'), cite('Run it.')])).toEqual(['Run it.'])
})

it('moves citations in any order, of one sentence, and of one within another', async () => {
  const [first, last] = ['Write to me@example.com.', 'Send 1 to you@example.com.']

  expect(await mask([cite(last), cite(first), cite(last), cite(`${first} Run it.`), cite('Run it.')])).toEqual([
    'Send 1 to [e-mail].',
    'Write to [e-mail].',
    'Send 1 to [e-mail].',
    'Write to [e-mail]. Run it.',
    'Run it.',
  ])
})

it('follows a mask that reaches from what is cited into what is not', async () => {
  expect(await mask([cite('Write to me@'), cite('Send 1 to you@example.com.')])).toEqual(['Send 1 to [e-mail].'])
})

it('keeps citations before the first mask and after the last', async () => {
  const around = 'Run it. Write to me@example.com. Stop it.'

  expect(await mask([cite('Run it.', around), cite('Stop it.', around)], around)).toEqual(['Run it.', 'Stop it.'])
})

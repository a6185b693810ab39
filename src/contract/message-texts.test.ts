import { expect, it } from 'vitest'
import { messageOf, readStoredText, verbatim, writeMessages } from './message-texts.ts'

it('writes sentences with counts, numbers and amounts', () => {
  const messages = [
    messageOf('need-spending', { spentUsd: 3.2, ceilingUsd: 1_000 }),
    messageOf('need-questions', { count: 1 }),
    messageOf('need-key-why', { used: 9_104, count: 10_000 }),
  ]

  expect(messages.map((message) => writeMessages([message]))).toEqual([
    'Spending is at $3.20 of $1000.00 today',
    '1 question without an answer in 7 days',
    '9,104 of 10,000 answers.',
  ])
})

it.each([
  messageOf('verdict-unanswered'),
  messageOf('verdict-uncited'),
  messageOf('verdict-doubtful'),
  messageOf('verdict-missing', { fact: 'a (b)*\n“{c}”.' }),
  messageOf('verdict-conflict', { subject: '`a.b`' }),
  messageOf('drift-default', { subject: 'a', successor: '2', value: '1' }),
  messageOf('drift-contradiction', { subject: 'a', attribute: 'maximum', one: '5', other: '6' }),
  messageOf('change-passed'),
])('finds in a stored reason the message it was written from: $code', (message) => {
  expect(readStoredText(writeMessages([message]))).toEqual([message])
})

it('takes other reasons verbatim', () => {
  expect(readStoredText('A sentence of an older version.')).toEqual([verbatim('A sentence of an older version.')])
})

it('finds both messages of a title that says what came instead', () => {
  const messages = [
    messageOf('drift-gone-field', { subject: 'a', owner: 'B' }),
    messageOf('drift-perhaps', { successor: 'c' }),
  ]

  expect(readStoredText(writeMessages(messages))).toEqual(messages)
})

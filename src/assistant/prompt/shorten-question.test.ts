import { expect, it } from 'vitest'
import { readQuestion } from '../../contract/assistant-request.ts'
import { shortenQuestion } from './shorten-question.ts'

const ask = (...texts: string[]) =>
  readQuestion('v2', { fp: 'a', messages: texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] })) })

it('leaves a question within the limit unchanged', () => {
  const question = ask('x'.repeat(16_000))

  expect(shortenQuestion(question, 16_000)).toEqual({ question, notice: '' })
})

it('shortens a longer one, and says in one line what was read', () => {
  const { question, notice } = shortenQuestion(
    ask('Before.', `${'a'.repeat(12_000)}middle${'z'.repeat(4_000)}`),
    16_000,
  )

  const cut = `${'a'.repeat(12_000)}\n\n[…]\n\n${'z'.repeat(4_000)}`
  expect(question.question).toBe(cut)
  expect(question.messages.map(({ text }) => text)).toEqual(['Before.', cut])
  expect(notice).toBe(
    'Your question has 16,006 characters, which is too long to read in full: only its first 12,000 and last 4,000 characters were read.\n\n',
  )
})

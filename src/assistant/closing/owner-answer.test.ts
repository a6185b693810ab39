import { expect, it } from 'vitest'
import { writeOwnerAnswer } from './owner-answer.ts'

const test = {
  question: 'How long is the warranty of the kiosk?',
  version: null,
  pages: [],
  facts: [['two years']],
  without: [],
  isRefusal: false,
  answer: 'Two years.\nKeep the receipt.',
}
const refused = { text: 'No page says so.', isAnswered: false, sources: [] }
const write = (question: string, change: object = {}) =>
  writeOwnerAnswer({
    suite: [{ ...test, answer: null, question }, test],
    question,
    version: null,
    answer: refused,
    ...change,
  })

it('follows an answer that fails its test, says whose it is and cites nothing', () => {
  expect(write('How long is the warranty of kiosks?')).toBe(
    '\n\n**The owner of this documentation answers, as its pages do not say so yet:**\n\n> Two years.\n> Keep the receipt.',
  )
})

it('ends once an answer from the pages contains the facts', () => {
  const answer = { text: 'It is two years.', isAnswered: true, sources: [{ path: '/warranty', version: null }] }

  expect(write(test.question, { answer })).toBe('')
  expect(write(test.question, { answer: { ...answer, text: 'It is one year.' } })).toContain('Two years.')
})

it('is given to no other question and no other version', () => {
  expect(write('How long is the battery of the kiosk?')).toBe('')
  expect(write(test.question, { suite: [{ ...test, version: 'v1' }], version: 'v2' })).toBe('')
})

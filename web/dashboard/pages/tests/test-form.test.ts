import { expect, it } from 'vitest'
import { emptyTestForm, readTestForm, toTestForm, toTestFormOf } from './test-form.ts'

const test = {
  question: 'How long?',
  version: 'v2',
  pages: ['/logs', '/'],
  facts: [['30 days', 'thirty days'], ['logs']],
  without: ['forever'],
  isRefusal: false,
  answer: '30 days.',
}

it('keeps a test that is opened and saved', () => {
  expect(readTestForm(toTestForm(test))).toEqual(test)
})

it('expects nothing besides a refusal and wording', () => {
  expect(readTestForm({ ...toTestForm(test), isRefusal: true })).toEqual({
    ...test,
    pages: [],
    facts: [],
    isRefusal: true,
    answer: null,
  })
})

it('makes a test of a question, with the pages of the site that its answer cites', () => {
  const asked = { question: 'Why?', verdict: 'supported', version: null }
  const urls = ['https://d.example/docs/a/#x', 'https://d.example/docs', 'https://other.example/b']
  const sources = urls.map((url) => ({ url, title: '' }))

  expect(toTestFormOf({ ...asked, sources }, 'https://d.example/docs')).toEqual({
    ...emptyTestForm,
    question: 'Why?',
    pages: '/a\n/',
  })
  expect(toTestFormOf({ ...asked, verdict: 'nearest-page', sources }, 'https://d.example/docs').pages).toBe('')
})

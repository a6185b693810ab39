import { expect, it } from 'vitest'
import { readPageReference } from './read-page-reference.ts'

it.each([
  'summarize this page',
  'tl;dr',
  'TLDR please',
  'Explain this page to me',
  'What is this page about?',
  'Can you give me a short summary of this article?',
  'Summarise the page I am reading',
  'Can you summarize the article?',
  'Give me the key points',
  'What are the key points?',
  'give me a summary of this',
  'the gist',
  'What is it about?',
  'explain this page briefly',
  'Sum up this article in three sentences, please',
  'what does this guide say, in plain English?',
  'What is described here?',
  'What do I learn on this page?',
  'Worum geht es auf dieser Seite?',
  'résume cette page',
  'Resume esta página por favor',
  'О чём эта страница?',
  '总结一下这个页面',
  'このページを要約して',
  '이 페이지를 요약해 줘',
])('takes “%s” for a question about the page as a whole', (question) => {
  expect(readPageReference(question)).toEqual({ subject: '' })
})

it.each([
  ['What does this page say about key rotation?', 'key rotation'],
  ['does this page mention Redis', 'Redis'],
  ['On this page, how do I override the handler?', 'override the handler'],
  ['¿Qué dice esta página sobre RTL?', 'RTL'],
  ['这个页面关于缓存说了什么?', '缓存'],
])('finds in “%s” what is asked about the page', (question, subject) => {
  expect(readPageReference(question)?.subject).toContain(subject)
})

it.each([
  'How do I edit this page?',
  "How do I add an 'edit this page' link?",
  'What is a page?',
  'how to summarize a page with the API',
  'What is this?',
  'How do I summarize the article?',
  'Open the page in a new tab',
])('finds no page in “%s”', (question) => {
  expect(readPageReference(question)).toBeNull()
})

it('takes “explain this” for a question about what is selected, if something is', () => {
  expect(readPageReference('explain this', true)).toBeNull()
  expect(readPageReference('explain this')).toEqual({ subject: '' })
})

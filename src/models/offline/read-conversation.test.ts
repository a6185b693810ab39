import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { expect, it } from 'vitest'
import { readConversation } from './read-conversation.ts'

const user = (text: string): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] })

it('separates the newest question from the earlier ones, newest first, without duplicates', () => {
  const answer: LanguageModelV4Message = { role: 'assistant', content: [{ type: 'text', text: 'Yes.' }] }
  const prompt = [user('What is a key?'), answer, user('Does it expire?'), answer, user('And then?')]

  expect(readConversation({ prompt })).toMatchObject({
    question: 'And then?',
    earlierQuestions: ['Does it expire?', 'What is a key?'],
  })
})

it('has no questions before the first user message', () => {
  expect(readConversation({ prompt: [] })).toMatchObject({ question: '', earlierQuestions: [] })
})

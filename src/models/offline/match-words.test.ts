import { expect, it } from 'vitest'
import { listTerms, WordMatcher } from './match-words.ts'
import { readQuestion } from './read-question.ts'

it.each([
  ['post a message', 'Postgres', 0],
  ['use a mock', 'mocking', 1],
  ['the main host', 'hosted', 1],
  ['config of the server', 'configuration', 1],
] as const)('compares the words of “%s” with “%s”', (asked, text, matched) => {
  const terms = listTerms(text, 'en')
  const matches = new WordMatcher(readQuestion(asked).words, terms).match(terms)

  expect(matches.filter((match) => match >= 0.5)).toHaveLength(matched)
})

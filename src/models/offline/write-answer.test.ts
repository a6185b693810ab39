import { expect, it } from 'vitest'
import { readQuestion } from './read-question.ts'
import { listVocabulary, readPassage, scoreParts } from './score-parts.ts'
import { WordMatcher } from './match-words.ts'
import { writeAnswer } from './write-answer.ts'

/** Quotes every part of one passage. */
function quoteAll(content: string): string {
  const question = readQuestion('paper width')
  const passage = { path: '/paper', link: '/paper', title: 'Paper', headings: [], score: 0.6, wholePage: null, content }
  const read = [readPassage(passage, question.language)]
  const { parts } = scoreParts(question, read, new WordMatcher(question.words, listVocabulary(read)))
  return writeAnswer([{ passage: 0, parts, score: 1 }], read)
}

it('leaves out a part that is empty without its images, and its space with it', () => {
  const answer = quoteAll('The paper is 80 mm wide.\n\n![A roll of paper](/roll.png)\n\nThe width can be set.')

  expect(answer).toBe('The paper is 80 mm wide.\n\nThe width can be set.\n\n[Paper](/paper)')
})

it('leaves out a list item that is only an image, and continues with the next', () => {
  const answer = quoteAll('Widths:\n\n- 58 mm of paper\n- ![roll](/roll.png)\n- 80 mm of paper')

  expect(answer).toContain('- 58 mm of paper\n')
  expect(answer).toContain('\n- 80 mm of paper')
  expect(answer).not.toContain('roll')
})

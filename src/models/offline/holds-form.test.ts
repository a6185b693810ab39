import { describe, expect, it } from 'vitest'
import { isAnswer } from '../../contract/verdicts.ts'
import { QuotingAnswerer } from './answer-by-quoting.ts'
import { readQuestion } from './read-question.ts'

/** The verdict on a page with this title and text. */
function judge(title: string, content: string, question: string) {
  const passage = { path: '/page', link: '/page', title, headings: [], score: 0.6, wholePage: null, content }
  const asked = { question: readQuestion(question), passages: [passage], instructions: '' }
  return isAnswer(new QuotingAnswerer().answer(asked).verdict)
}

describe('a page with the other words of a question answers it only if it says', () => {
  it.each([
    [
      'a limit',
      'What is the maximum length of a label?',
      'A label has at most 40 characters in its length.',
      'The length of a label is shown on page 40.',
    ],
    [
      'that there is no limit',
      'Is there a maximum number of labels?',
      'There is no limit on labels.',
      'Labels are shown.',
    ],
    ['a price', 'What does a label cost?', 'A label costs $3.', 'A label is printed 3 times.'],
    [
      'a person or a role',
      'Who prints the labels?',
      'Labels are printed by administrators.',
      'Labels are printed at night.',
    ],
    [
      'the thing that is asked for',
      'Which colors do labels have?',
      'The colors of labels are red and blue.',
      'Labels have borders and corners.',
    ],
    [
      'a release',
      'Which version of Foo do labels need?',
      'Labels need Foo 3 or newer.',
      'Labels need Foo to be installed.',
    ],
  ])('%s', (_, question, saying, silent) => {
    expect([judge('Labels', saying, question), judge('Labels', silent, question)]).toEqual([true, false])
  })

  it('most of the words of a question for yes or no', () => {
    const content = 'Labels are printed in color on paper.'

    expect(judge('Labels', content, 'Can labels be printed in color overnight?')).toBe(true)
    expect(judge('Labels', content, 'Can labels be printed in color overnight by robots?')).toBe(false)
  })
})

describe('a page that only mentions a thing', () => {
  it('does not say how to do something with it', () => {
    const content = 'Start the collector:\n\n```sh\ndocker run -p 9411:9411 collector\n```'

    expect(judge('Docker', content, 'How do I set up the collector in Docker?')).toBe(true)
    expect(judge('Traces', content, 'How do I set up Labels in Docker?')).toBe(false)
  })

  it('does not answer what its sentences hold only together', () => {
    const apart = 'Printers are old.\n\nPaper is thin.\n\nInk is cheap.'
    const question = 'printers with colored paper and ink on walls'

    expect(judge('Printers', apart, question)).toBe(true)
    expect(judge('Offices', apart, question)).toBe(false)
  })
})

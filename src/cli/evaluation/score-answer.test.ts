import { expect, it } from 'vitest'
import { countAnswers, scoreAnswer, shareInterval } from './score-answer.ts'
import { tabulateVerdicts } from './eval-verdict-table.ts'

const question = { qid: '1', query: 'q', pages: ['/a', '/'], facts: [['one'], ['two', '2']], answerable: true }

it.each([
  ['both facts and the right page', 'One and 2.', ['/a'], true, [true, true]],
  ['a fact missing and another page', 'One.', ['/b'], true, [false, false]],
  ['spaces and case aside', 'ONE,\n two', ['/index'], true, [true, true]],
  ['no answer, whatever it says', 'One and two.', ['/a'], false, [false, false]],
])('judges an answer with %s', (_, text, sources, isAnswered, expected) => {
  const { isRightPage, isFactFound } = scoreAnswer(question, {
    text,
    sources: sources.map((path) => ({ path, version: null })),
    links: sources,
    isAnswered,
    verdict: 'supported',
  })

  expect([isRightPage, isFactFound]).toEqual(expected)
})

const given = {
  text: 'One, two',
  sources: [{ path: '/a', version: null }],
  links: ['/a'],
  isAnswered: true,
  verdict: 'supported',
} as const

it('counts false answers of the questions that nothing answers, and the rest of those that something does', () => {
  const other = { ...question, pages: [], facts: [], answerable: false }
  const refusal = { text: 'No.', sources: [], links: [], isAnswered: false, verdict: 'unanswered' } as const

  const counts = countAnswers([
    scoreAnswer(question, given),
    scoreAnswer(question, refusal),
    scoreAnswer(other, given),
    scoreAnswer(other, refusal),
    scoreAnswer(other, refusal),
  ])

  expect(counts).toEqual({
    rightPage: { count: 1, total: 2 },
    factFound: { count: 1, total: 2 },
    falseAnswers: { count: 1, total: 3 },
    refusedWrongly: { count: 1, total: 2 },
    trueVerdicts: { count: 3, total: 5 },
  })
})

it('tells by verdict how many answers are right, partly right and wrong', () => {
  const other = { ...question, pages: [], facts: [], answerable: false }
  const near = {
    text: 'See [A](/a#x).',
    sources: [],
    links: ['/a'],
    isAnswered: false,
    verdict: 'nearest-page',
  } as const

  const scored = [
    scoreAnswer(question, given),
    scoreAnswer(question, { ...given, text: 'One' }),
    scoreAnswer(other, given),
    scoreAnswer(question, near),
    scoreAnswer(other, near),
  ]

  expect(tabulateVerdicts(scored)).toEqual({
    supported: { right: 1, partly: 1, wrong: 1 },
    'nearest-page': { right: 1, partly: 1, wrong: 0 },
  })
  expect(countAnswers(scored).trueVerdicts).toEqual({ count: 3, total: 5 })
})

it.each([
  [0, 10, 0, 0.2775],
  [5, 10, 0.2366, 0.7634],
  [10, 10, 0.7225, 1],
  [0, 0, 0, 1],
])('gives %i of %i the interval of Wilson', (count, total, low, high) => {
  const interval = shareInterval({ count, total })

  expect(interval[0]).toBeCloseTo(low, 3)
  expect(interval[1]).toBeCloseTo(high, 3)
})

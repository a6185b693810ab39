import { expect, it } from 'vitest'
import { readQuestion } from './read-question.ts'

const kindOf = (text: string) => readQuestion(text).kind

it.each([
  ['When does a key expire?', 'amount'],
  ['lifetime choices of a key', 'amount'],
  ['fall back to a second model when the first one fails', 'fact'],
  ['Which headers come with every answer?', 'list'],
  ['which status do I get for a large body', 'fact'],
  ['which port does it listen on if I change nothing', 'default'],
  ['Can readers comment on a page?', 'fact'],
  ['Comment créer une clé ?', 'procedure'],
] as const)('takes “%s” for a question of the kind %s', (text, kind) => {
  expect(kindOf(text)).toBe(kind)
})

it('gives less weight to words that say how many of a thing are meant', () => {
  const { words } = readQuestion('maximum of pages in one site, for every plan')

  expect(words.filter(({ weight }) => weight < 1).map(({ surface }) => surface)).toEqual(
    expect.arrayContaining(['one', 'every']),
  )
})

it('gives half the weight to what leads up to the question, and needs none of its names', () => {
  const { words } = readQuestion('We run Jenkins on an old NAS. How do I rotate the admin token?')

  const find = (typed: string) => words.find(({ surface }) => surface === typed)
  expect([find('Jenkins'), find('NAS')]).toMatchObject([
    { weight: 0.5, isName: false },
    { weight: 0.5, isName: false },
  ])
  expect(find('token')?.weight).toBe(1)
})

it('takes names from what leads up to a question that says too little', () => {
  const { words } = readQuestion('We run Jenkins. How do I connect it?')

  expect(words.find(({ surface }) => surface === 'Jenkins')).toMatchObject({ weight: 1, isName: true })
})

it('takes words without a vowel for names, because they are abbreviations', () => {
  const { words } = readQuestion('compress old files with zstd')

  expect(words.filter(({ isName }) => isName).map(({ surface }) => surface)).toEqual(['zstd'])
})

it('gives less weight to everyday words than to what a question is about', () => {
  const { words } = readQuestion('somebody went away with my token')

  expect(words.filter(({ weight }) => weight === 1).map(({ surface }) => surface)).toEqual(['token'])
})

it('gives the code of a pasted error the most weight, and what all errors say the least', () => {
  const { words } = readQuestion("Error: Plan is locked\n    at save (/app/plan.js:3:1)\n  code: 'ERR_PLAN_LOCKED',")

  const ordered = words.toSorted((one, other) => other.weight - one.weight).map(({ surface }) => surface)
  expect(ordered[0]).toBe('ERR_PLAN_LOCKED')
  expect(words.find(({ surface }) => surface === 'Error')?.weight).toBeLessThan(
    words.find(({ surface }) => surface === 'locked')?.weight ?? 0,
  )
})

it('gives less weight to what a thing is done without, unless the question asks for nothing else', () => {
  const weigh = (text: string, typed: string) =>
    readQuestion(text).words.find(({ surface }) => surface === typed)?.weight

  expect(weigh('How do I restart the runner without downtime?', 'downtime')).toBeLessThan(1)
  expect(weigh('Can I use it without a runner?', 'runner')).toBe(1)
})

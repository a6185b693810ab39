import { expect, it } from 'vitest'
import { listFollowUps, listNearest } from './found-sections.ts'
import { addEvent, makeTurn } from './turn.ts'

const section = (path: string, heading: string, score: number) => ({
  path,
  content: `## ${heading}\n\nText of ${heading}`,
  metadata: { title: path.slice(1), headings: [heading], href: `https://docs.example.com${path}#${heading}`, score },
})

function makeFound(...output: unknown[]) {
  const turn = makeTurn('What is a key?', '')
  addEvent(turn, { type: 'tool-output-available', output })
  return turn
}

const found = [
  section('/keys', 'a', 0.9),
  section('/keys', 'b', 0.8),
  section('/limits', 'c?', 0.7),
  section('/far', 'd', 0.2),
]

it('offers sections that were found but not cited as follow-ups', () => {
  const turn = makeFound(...found)
  addEvent(turn, {
    type: 'source-url',
    sourceId: 's',
    url: 'https://docs.example.com/keys#a:~:text=x',
    title: 'Keys: a',
  })

  expect(listFollowUps(turn)).toEqual(['keys: b', 'c?'])
})

it('shows the best section of each near page of a question without an answer, and no follow-ups', () => {
  const turn = makeFound(...found)
  addEvent(turn, { type: 'finish', messageMetadata: { verdict: 'unanswered' } })

  expect(listNearest(turn).map(({ title, text }) => [title, text])).toEqual([
    ['keys', 'Text of a'],
    ['limits', 'Text of c?'],
  ])
  expect(listFollowUps(turn)).toEqual([])
})

it.each([[null], ['text'], [{ content: 1 }], [section('/x', 'y', 1).metadata], [[]]])(
  'ignores results of other tools: %j',
  (output) => {
    expect(makeFound(output).found).toEqual([])
  },
)

it('links to no address that is not of the web', () => {
  const bad = {
    ...section('/x', 'y', 1),
    metadata: { title: 'x', headings: ['y'], href: 'javascript:alert(1)', score: 1 },
  }

  expect(listNearest(makeFound(bad))).toEqual([])
  expect(listFollowUps(makeFound(bad))).toEqual([])
})

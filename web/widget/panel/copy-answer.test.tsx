import { expect, it } from 'vitest'
import { makeCitation } from '../../../packages/docent-client/src/testing/make-citation.ts'
import { english } from '../words/english.ts'
import { makeSay } from '../words/make-say.ts'
import { writeAnswer } from './copy-answer.ts'
import { addEvent, makeTurn } from './turn.ts'

it('copies an answer with the numbers and the list of its sources', () => {
  const turn = makeTurn('Why?', '')
  const citation = makeCitation({ number: '1', sourceIds: ['s1'], textId: 't', start: 0, end: 8 })
  addEvent(turn, { type: 'source-url', sourceId: 's1', url: 'https://docs.example.com/a_(b)#c', title: 'Keys [v2]' })
  addEvent(turn, { type: 'text-start', id: 't' })
  addEvent(turn, { type: 'text-delta', id: 't', delta: 'Because. So.' })
  addEvent(turn, { type: 'data-docent-citation', id: 'c1', data: citation })

  expect(writeAnswer(makeSay('en', english), turn)).toBe(
    'Because. [1] So.\n\nSources:\n\n1. [Keys \\[v2\\]](https://docs.example.com/a_%28b%29#c)',
  )
})

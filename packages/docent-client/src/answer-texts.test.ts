import { expect, it } from 'vitest'
import { listSources } from './answer-sources.ts'
import { listTexts } from './answer-texts.ts'
import { makeCitation } from './testing/make-citation.ts'

const text = (text: string) => ({ type: 'text', text })
const source = (sourceId: string) => ({ type: 'source-url', sourceId, url: `https://d/${sourceId}`, title: sourceId })
const citation = (number: string, start: number, textId: string, sourceIds: string[] = []) => ({
  type: 'data-docent-citation',
  id: `c${number}`,
  data: makeCitation({ number, start, end: start + 5, textId, sourceIds }),
})

it('gives each text part the citations with its id, in the order of the text', () => {
  const parts = [text('first'), citation('2', 9, 'a'), citation('1', 0, 'a'), text('second'), citation('3', 0, 'b')]
  const late = citation('4', 20, 'a')

  const texts = listTexts({ parts: [...parts, late] })

  expect(texts.map(({ text, citations }) => [text, ...citations.map(({ number }) => number)])).toEqual([
    ['first', '1', '2', '4'],
    ['second', '3'],
  ])
})

it('lists each source once, by the number of its citations, and those without one last', () => {
  const parts = [
    source('linked'),
    source('b'),
    source('a'),
    source('b'),
    text('…'),
    citation('1', 0, 't', ['a']),
    citation('2', 9, 't', ['b']),
  ]

  const sources = listSources({ parts })

  expect(sources.map(({ number, sourceId, citations }) => [number, sourceId, citations.length])).toEqual([
    ['1', 'a', 1],
    ['2', 'b', 1],
    ['3', 'linked', 0],
  ])
})

it('numbers the sources of an answer without citations by their position', () => {
  expect(listSources({ parts: [source('x'), source('y')] }).map(({ number }) => number)).toEqual(['1', '2'])
})

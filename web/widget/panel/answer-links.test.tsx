/** @jsxImportSource preact */
import { render } from 'preact'
import { expect, it } from 'vitest'
import { makeCitation } from '../../../packages/docent-client/src/testing/make-citation.ts'
import { english } from '../words/english.ts'
import { makeSay } from '../words/make-say.ts'
import { AnswerLinks } from './answer-links.tsx'
import type { PanelContext } from './panel-context.ts'
import { addEvent, makeTurn } from './turn.ts'

/** @returns The entries of the list of sources, one per line. */
function listSources(verdict: string): (string | null)[] {
  const turn = makeTurn('How long?', '')
  addEvent(turn, { type: 'text-start', id: 't' })
  addEvent(turn, { type: 'text-delta', id: 't', delta: 'It depends.' })
  for (const [number, quote] of [
    ['1', 'It takes `30s`.'],
    ['2', 'It takes `60s`.'],
  ] as const) {
    const sourceId = `s${number}`
    const citation = { ...makeCitation({ number, sourceIds: [sourceId], textId: 't', start: 0, end: 2 }), quote }
    addEvent(turn, { type: 'source-url', sourceId, url: `https://docs.example.com/${number}`, title: 'Page' })
    addEvent(turn, { type: 'data-docent-citation', id: `c${number}`, data: citation })
  }
  addEvent(turn, { type: 'finish', messageMetadata: { verdict } })
  // Links need no more of it.
  const context = { say: makeSay('en', english), settings: { links: 'same-tab' } } as unknown as PanelContext
  const place = document.createElement('div')
  render(<AnswerLinks context={context} turn={turn} />, place)
  return [...place.querySelectorAll('li')].map(({ textContent }) => textContent)
}

it('shows what each page says where they disagree', () => {
  expect(listSources('conflicting')).toEqual(['1PageIt takes 30s.', '2PageIt takes 60s.'])
  expect(listSources('supported')).toEqual(['1Page', '2Page'])
})

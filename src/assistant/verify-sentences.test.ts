import { expect, it } from 'vitest'
import { AnswerCitations } from './citations/answer-citations.ts'
import { readSentences } from './citations/sentence-reader.ts'
import { verifySentences } from './verify-sentences.ts'

it('gives a cited sentence the verdict of its citation, and looks up the facts of others in the cited pages', () => {
  const citations = new AnswerCitations({ url: 'https://docs.example.com', revision: 'r1', commit: null })
  const place = { path: '/a', anchor: null, title: 'A', headings: [], version: null, language: 'en' }
  citations.add({ ...place, content: 'Set `KIOSK_PORT` before the first start.\n\n```sh\nkiosk start\n```' })
  const text = 'Set `KIOSK_PORT` first.\n\n```sh\nkiosk start\n```\nThat is all. Use `--quiet`. See `KIOSK_X`.'
  for (const sentence of readSentences(text)) citations.judge({ ...sentence, textId: 't' }, [])

  const verified = verifySentences(citations.sentences, ['A page with --quiet'])

  expect(verified.map(({ text: sentence, state }) => [sentence, state])).toEqual([
    ['Set `KIOSK_PORT` first.', 'held'],
    ['```sh\nkiosk start\n```', 'held'],
    ['That is all.', 'no-facts'],
    ['Use `--quiet`.', 'held'],
    ['See `KIOSK_X`.', 'missing'],
  ])
  expect(citations.sentences.map(({ citations: cited }) => cited.length)).toEqual([1, 1, 0, 0, 0])
})

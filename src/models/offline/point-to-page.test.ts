import { expect, it } from 'vitest'
import { pointToPage } from './point-to-page.ts'
import type { RetrievedPassage } from './retrieved-passage.ts'

const cookies: RetrievedPassage = {
  link: '/cookies',
  path: '/cookies',
  title: 'Cookies',
  headings: [],
  content: 'This is how you read the cookies of a request, and what they are for.',
  score: 0.5,
  wholePage: null,
}
const termCounts = { passages: 300, counts: { cooki: 9, anfrag: 0, les: 0 }, meant: {} }

it('names the nearest page where a word is known, and claims no answer', () => {
  const text = 'Wie lese ich Cookies aus einer Anfrage?'

  expect(pointToPage({ text, passages: [cookies], termCounts })).toEqual({
    text: 'This documentation is not written in the language of the question. The nearest page is [Cookies](/cookies).',
    verdict: 'nearest-page',
  })
})

it.each([
  ['no word is known', 'Wie ist das Wetter in der Stadt?'],
  ['the languages agree', 'How do I read the cookies of a request?'],
])('names no page where %s', (_, text) => {
  expect(pointToPage({ text, passages: [cookies], termCounts })).toBeNull()
})

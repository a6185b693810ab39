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

it('takes no keys and flags in code for words of another language', () => {
  const rows = ['l', 'a', 'e', 'o', 'i', 'y', 'd'].map((key) => `| \`${key}\` | Move | \`move_${key}\` |`)
  const keymap = { ...cookies, title: 'Keymap', content: ['How to split a window:', ...rows].join('\n') }
  const counts = { passages: 300, counts: { split: 4, window: 9 }, meant: {} }

  expect(pointToPage({ text: 'split the window', passages: [keymap], termCounts: counts })).toBeNull()
})

const translatedCounts = { passages: 300, counts: { encrypt: 4, file: 60, list: 50, read: 70 }, meant: {} }
const encryption = {
  ...cookies,
  link: '/safe',
  path: '/safe',
  title: 'Encryption',
  content: 'This is how you encrypt files.',
}

it.each([
  ['several of its ordinary words are known', 'Wie verschlüssele ich eine Datei?', 'nearest-page'],
  ['a rare one names the page', 'Was ist das mit der Verschlüsselung?', 'nearest-page'],
  ['only one that is on many pages is known', 'Was ist das für eine Datei?', undefined],
  ['the nearest page has only one of them', 'Wie kann ich eine Datei lesen?', undefined],
])('names a page for a foreign question if it is about it: %s', (_, text, verdict) => {
  expect(pointToPage({ text, passages: [encryption], termCounts: translatedCounts })?.verdict).toBe(verdict)
})

it('names a page whose name is all that a foreign question asks about, however common that is', () => {
  const page = { ...encryption, title: 'Files', content: 'This is how they are kept.' }
  const verdictOn = (text: string) => pointToPage({ text, passages: [page], termCounts: translatedCounts })?.verdict

  expect(verdictOn('Was ist das für eine Datei?')).toBe('nearest-page')
  expect(verdictOn('Wie verschlüssele ich eine Datei?')).toBeUndefined()
})

it('names a page that has three words of a foreign question, however many pages have them', () => {
  const counts = { passages: 300, counts: { file: 200, folder: 200, delet: 200, remov: 200 }, meant: {} }
  const page = { ...encryption, title: 'Tidying', content: 'This is how you delete the files in a folder.' }

  const text = 'Wie kann ich alle Dateien in einem Ordner löschen?'

  expect(pointToPage({ text, passages: [page], termCounts: counts })?.verdict).toBe('nearest-page')
})

it('names up to three pages that are found about as well', () => {
  const page = (path: string, score: number) => ({ ...encryption, link: path, path, title: path.slice(1), score })
  const passages = [
    page('/a', 0.5),
    page('/a', 0.49),
    page('/b', 0.46),
    page('/c', 0.42),
    page('/d', 0.41),
    page('/e', 0.3),
  ]

  const pointed = pointToPage({ text: 'Wie verschlüssele ich eine Datei?', passages, termCounts: translatedCounts })

  expect(pointed?.text).toMatch(/The nearest pages are \[a\]\(\/a\), \[b\]\(\/b\) and \[c\]\(\/c\)\.$/)
})

it('does not take the French "comment" for a comment', () => {
  const counts = { passages: 300, counts: { comment: 0, chang: 60 }, meant: {} }

  expect(
    pointToPage({ text: 'Comment changer une roue de voiture ?', passages: [cookies], termCounts: counts }),
  ).toBeNull()
})

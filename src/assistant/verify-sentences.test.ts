import { expect, it } from 'vitest'
import { verifySentences, splitSentences } from './verify-sentences.ts'

it('verifies each sentence against the cited pages', () => {
  const text =
    'Set `KIOSK_PORT` first. Then use `--quiet` and `--loud`.\n\n```sh\nkiosk start\n```\nThat is all. See `KIOSK_X`.'

  const verified = verifySentences({
    text,
    citedTexts: ['`KIOSK_PORT` and --quiet', 'kiosk start'],
    claim: 'supported',
  })

  expect(verified.map(({ text: sentence, state }) => [sentence, state])).toEqual([
    ['Set `KIOSK_PORT` first.', 'held'],
    ['Then use `--quiet` and `--loud`.', 'partial'],
    ['```sh\nkiosk start\n```', 'held'],
    ['That is all.', 'no-facts'],
    ['See `KIOSK_X`.', 'missing'],
  ])
  expect(verified[1]?.facts).toEqual([
    { text: '--quiet', isHeld: true },
    { text: '--loud', isHeld: false },
  ])
})

it('treats unclosed code as one sentence', () => {
  expect(splitSentences('One. Two.\n~~~js\na()\n\nb()')).toEqual(['One.', 'Two.', '~~~js\na()\n\nb()'])
  expect(splitSentences('')).toEqual([])
})

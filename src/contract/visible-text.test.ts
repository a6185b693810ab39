import { expect, it } from 'vitest'
import { splitVisibleText } from './visible-text.ts'

it('names what cannot be seen or turns text around, and leaves all else as it is', () => {
  expect(splitVisibleText('a\u202Eb\u200B')).toEqual([
    { text: 'a', isHidden: false },
    { text: 'U+202E', isHidden: true },
    { text: 'b', isHidden: false },
    { text: 'U+200B', isHidden: true },
  ])
  expect(splitVisibleText('tab\t, ❤️, ж')).toEqual([{ text: 'tab\t, ❤️, ж', isHidden: false }])
  expect(splitVisibleText('')).toEqual([])
})

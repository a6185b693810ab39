import { expect, it } from 'vitest'
import { moveRange } from './move-range.ts'

/** Of lines 1 to 9: 2 was replaced by two lines, one was added after 5, and 8 was removed. */
const patch =
  '@@ -1,5 +1,7 @@\n one\n-two\n+two a\n+two b\n three\n four\n five\n+new\n@@ -6,4 +8,3 @@\n six\n seven\n-eight\n nine\n'

it.each([
  ['before every change', [1, 1], [1, 1]],
  ['below added lines', [3, 5], [4, 6]],
  ['after a line that was added before them', [6, 7], [8, 9]],
  ['below a removed line', [9, 9], [10, 10]],
  ['beyond the last change', [40, 42], [41, 43]],
])('moves lines %s', (_, [first = 0, last = 0], moved) => {
  const range = moveRange(patch, { first, last })

  expect([range?.first, range?.last]).toEqual(moved)
})

it.each([
  ['a replaced line', [2, 2]],
  ['a removed line', [7, 9]],
  ['a line that was added between them', [5, 6]],
])('gives lines up that contain %s', (_, [first = 0, last = 0]) => {
  expect(moveRange(patch, { first, last })).toBeNull()
})

it('moves lines below those added at the start of a file', () => {
  expect(moveRange('@@ -1,2 +1,3 @@\n+zero\n one\n two\n', { first: 1, last: 2 })).toEqual({ first: 2, last: 3 })
})

import { expect, it } from 'vitest'
import { countOf, groupDigits } from './count-of.ts'

it.each([
  [0, '0 pages'],
  [1, '1 page'],
  [2, '2 pages'],
  [2_000, '2,000 pages'],
])('counts %i pages', (count, expected) => {
  expect(countOf(count, 'page')).toBe(expected)
})

it('takes an irregular plural', () => {
  expect(countOf(1, 'repository', 'repositories')).toBe('1 repository')
  expect(countOf(3, 'repository', 'repositories')).toBe('3 repositories')
})

it.each([0, 12, 999, 1_000, 123_456, 1_234_567, 2 ** 53, -1_000, -123_456])(
  'groups the digits of %i as Intl does',
  (count) => {
    expect(groupDigits(count)).toBe(count.toLocaleString('en'))
  },
)

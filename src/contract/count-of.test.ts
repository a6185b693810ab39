import { expect, it } from 'vitest'
import { countOf } from './count-of.ts'

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

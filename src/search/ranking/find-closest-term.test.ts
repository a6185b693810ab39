import { expect, it } from 'vitest'
import { measureDistance } from './find-closest-term.ts'

it.each([
  ['deploy', 'deploy', 0],
  ['depoly', 'deploy', 1],
  ['deplo', 'deploy', 1],
  ['deployy', 'deploy', 1],
  ['daploi', 'deploy', 2],
  ['token', 'proxy', 3],
  ['a', 'abcdef', 3],
])('%s is %s with %i errors, of at most two', (one, other, distance) => {
  expect(measureDistance(one, other, 2)).toBe(distance)
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchSequences } from './match-sequences.ts'

const letters = (word: string) => word.split('')

it('matches as many equal items as can be in order', () => {
  expect(matchSequences(letters('abcabba'), letters('cbabac'))).toHaveLength(4)
  expect(matchSequences([], ['a'])).toEqual([])
  expect(matchSequences(letters('abc'), letters('abc'))).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
  ])
})

it('gives up beyond the edits that it may make', () => {
  expect(matchSequences(letters('abcdef'), letters('uvwxyz'), 5)).toBeNull()
})

it('pairs equal items only, ascending on both sides, and misses none that both sides end with', () => {
  const items = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 })
  fc.assert(
    fc.property(items, items, items, (a, b, end) => {
      const matches = matchSequences([...a, ...end], [...b, ...end]) ?? []

      expect(matches.length).toBeGreaterThanOrEqual(end.length)
      for (const [place, [one, other]] of matches.entries()) {
        expect([...a, ...end][one]).toBe([...b, ...end][other])
        const [previousOne, previousOther] = matches[place - 1] ?? [-1, -1]
        expect(one > previousOne && other > previousOther).toBe(true)
      }
    }),
  )
})

import { expect, it } from 'vitest'
import { createSeededRandom } from '../../test/chaos/seeded-random.ts'
import { chooseMutants } from './choose-mutants.ts'

const sources = new Map(
  ['a', 'b', 'c'].map((name) => [
    `src/${name}.ts`,
    `function ${name}(x: number, y: number) {\n  const z = x < y && x > 2 && y > 3 && x < 9\n  return z || x === 4\n}\n`,
  ]),
)
const choose = (seed: number) => chooseMutants(sources, createSeededRandom(seed))

it('makes the same choice for the same seed, and another for another', () => {
  expect(choose(1)).toEqual(choose(1))
  expect(choose(1)).not.toEqual(choose(2))
})

it('has each line that can be changed once, with all of its changes', () => {
  const chosen = choose(3).map((mutants) => [...new Set(mutants.map(({ path, line }) => `${path}:${line}`))])

  expect(chosen.flat().toSorted()).toEqual([
    'src/a.ts:2',
    'src/a.ts:3',
    'src/b.ts:2',
    'src/b.ts:3',
    'src/c.ts:2',
    'src/c.ts:3',
  ])
  expect(choose(3).every((mutants) => mutants.length > 1)).toBe(true)
})

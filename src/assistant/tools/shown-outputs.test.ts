import { expect, it } from 'vitest'
import { ShownOutputs } from './shown-outputs.ts'

const passages = (count: number, chars: number) =>
  Array.from({ length: count }, (_, index) => ({ path: `/${index}`, content: 'x'.repeat(chars) }))

it('shows the results of a common search unchanged', () => {
  const output = passages(10, 2_000)

  expect(new ShownOutputs().shorten(output)).toBe(output)
})

it('shows excerpts of larger results, and nothing once the limit of the answer is reached', () => {
  const outputs = new ShownOutputs()

  expect(outputs.shorten(passages(50, 2_000))).toEqual(passages(20, 200))
  expect(outputs.shorten({ path: '/a', markdown: 'y'.repeat(40_000), offset: 0 })).toEqual({
    path: '/a',
    markdown: 'y'.repeat(200),
    offset: 0,
  })
  const later = Array.from({ length: 100 }, () => outputs.shorten(passages(5, 5_000)))
  expect(JSON.stringify(later).length).toBeLessThan(32_000)
  expect(later.at(-1)).toEqual([])
})

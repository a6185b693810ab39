import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countPages, findMedian } from './summarize-questions.ts'

const source = (url: string) => ({ url, title: url.toUpperCase() })

it('counts a page once for each answer that cites it, whatever the anchor', () => {
  const pages = countPages([
    { sources: [source('/a#one'), source('/a#two'), source('/b')] },
    { sources: [source('/b')] },
    { sources: [] },
    { sources: [source('/c'), source('/a')] },
  ])

  expect(pages.map(({ url, questions }) => [url, questions])).toEqual([
    ['/a', 2],
    ['/b', 2],
    ['/c', 1],
  ])
})

it('finds the median, and null without values', () => {
  expect(findMedian([])).toBeNull()
  expect(findMedian([3, 1, 2])).toBe(2)
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
      const median = findMedian(values) ?? -1

      expect(values).toContain(median)
      expect(values.filter((value) => value < median).length).toBeLessThan(values.length / 2)
      expect(values.filter((value) => value > median).length).toBeLessThanOrEqual(values.length / 2)
    }),
  )
})

import { expect, it } from 'vitest'
import type { Chunk } from '../../content/pages/chunk.ts'
import { assignChunks } from './assign-chunks.ts'
import { makeTestPage } from '../../../test/support/search-test-site.ts'

const chunk = (pagePath: string, ordinal: number, text: string): Chunk => ({
  pagePath,
  ordinal,
  anchor: null,
  headings: [],
  text,
})

it('gives the versions of one path their own chunks, and a page without text none', () => {
  const pages = [
    makeTestPage('/a', 'A', 'one'),
    makeTestPage('/a', 'A', ''),
    makeTestPage('/a', 'A', 'two'),
    makeTestPage('/b', 'B', ''),
  ]
  const chunks = [chunk('/a', 0, 'one'), chunk('/a', 1, 'more'), chunk('/a', 0, 'two')]

  const assigned = assignChunks(pages, chunks)

  expect(assigned.map((ofPage) => ofPage.map(({ text }) => text))).toEqual([['one', 'more'], [], ['two'], []])
})

it('refuses chunks that have no page', () => {
  expect(() => assignChunks([], [chunk('/a', 0, 'one')])).toThrow('/a has 0 pages and 1 runs')
})

import { expect, it } from 'vitest'
import { readInsightsSearch } from './insights-search.ts'

it('takes an address as it was sent to somebody', () => {
  const search = {
    view: 'questions',
    days: 7,
    verdict: 'unanswered',
    caller: 'mcp',
    search: 2026,
    at: '2026-11-18T00:00:00.000Z',
    cursor: 'msg_1',
  }

  expect(readInsightsSearch(search)).toEqual({ ...search, search: '2026' })
})

it('leaves out what no page of insights is, and what is so anyway', () => {
  const search = {
    view: 'overview',
    days: 30,
    verdict: '<img>',
    feedback: ['helpful'],
    page: '',
    at: 'today',
    gap: { id: 1 },
    x: 1,
  }

  expect(readInsightsSearch(search)).toEqual({})
  expect(readInsightsSearch({ days: 31, view: 'nowhere', search: 'a'.repeat(5_000) }).search).toHaveLength(1_000)
})

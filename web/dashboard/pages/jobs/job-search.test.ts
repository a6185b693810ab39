import { expect, it } from 'vitest'
import { readJobSearch, startOfPeriod } from './job-search.ts'

it('takes out of an address what can be meant, and nothing else', () => {
  expect(readJobSearch({ status: 'failed', site: 'docs', search: ' a ', days: '7', other: 1 })).toEqual({
    status: 'failed',
    site: 'docs',
    search: 'a',
    days: 7,
  })
  expect(readJobSearch({ status: 'gone', site: '', search: null, days: 3 })).toEqual({})
  expect(readJobSearch({ search: 42 })).toEqual({ search: '42' })
})

it('begins a period with a day', () => {
  const now = Date.UTC(2026, 10, 21, 12)

  expect(startOfPeriod(1, now)).toBe('2026-11-21T00:00:00.000Z')
  expect(startOfPeriod(7, now)).toBe('2026-11-15T00:00:00.000Z')
})

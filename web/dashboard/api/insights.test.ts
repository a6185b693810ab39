import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { toQueryBefore } from './insights.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it.each([
  ['2026-03-31T00:00:00Z', '2026-03-24T00:10:00.000Z'],
  ['2026-03-31T12:34:56Z', '2026-03-24T12:40:00.000Z'],
  ['2026-03-31T23:59:59Z', '2026-03-25T00:00:00.000Z'],
])('compares with as many days before, of which none is empty in the first minutes of a day: %s', (now, to) => {
  vi.setSystemTime(now)

  const before = toQueryBefore({ days: 7 })

  expect(before).toEqual({ from: '2026-03-18T00:00:00.000Z', to })
})

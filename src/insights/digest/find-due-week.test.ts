import { expect, it } from 'vitest'
import { findDueWeek } from './find-due-week.ts'

it.each([
  ['2026-11-23T05:59:59Z', '2026-11-09'],
  ['2026-11-23T06:00:00Z', '2026-11-16'],
  ['2026-11-29T23:59:59Z', '2026-11-16'],
  ['2026-12-31T12:00:00Z', '2026-12-21'],
  ['2027-01-04T06:00:00Z', '2026-12-28'],
])('names at %s the week that began on %s', (now, monday) => {
  expect(new Date(findDueWeek(Date.parse(now))).toISOString()).toBe(`${monday}T00:00:00.000Z`)
})

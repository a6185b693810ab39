import fc from 'fast-check'
import { expect, it } from 'vitest'
import { windowBounds } from './limit-windows.ts'

it.each([
  ['hour', '2026-03-01T10:59:59.999Z', '2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'],
  ['day', '2026-03-01T23:59:59.999Z', '2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'],
  ['month', '2028-02-29T12:00:00.000Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['month', '2026-12-31T23:59:59.999Z', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
] as const)('the %s of %s is from %s to %s', (window, now, startsAt, endsAt) => {
  expect(windowBounds(window, Date.parse(now))).toEqual({ startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) })
})

it('every moment lies in exactly one window', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) })
  fc.assert(
    fc.property(fc.constantFrom('hour', 'day', 'month'), moment, (window, now) => {
      const { startsAt, endsAt } = windowBounds(window, now)
      expect(startsAt).toBeLessThanOrEqual(now)
      expect(endsAt).toBeGreaterThan(now)
      expect(windowBounds(window, endsAt).startsAt).toBe(endsAt)
    }),
  )
})

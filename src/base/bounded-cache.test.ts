import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

it('never gives another value than the last one set, and keeps within its weight', () => {
  const step = fc.record({ key: fc.nat(9), weight: fc.integer({ min: 1, max: 12 }), isSet: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const cache = new BoundedCache<{ weight: number }>(10)
      const last = new Map<number, { weight: number }>()
      for (const { key, weight, isSet } of steps) {
        if (isSet) {
          last.set(key, { weight })
          cache.set(key, last.get(key) as { weight: number }, weight)
        }
        const found = cache.get(key)
        expect([last.get(key), undefined]).toContain(found)
        expect(isSet && (found === undefined) !== weight > 10).toBe(false)
      }
      const kept = [...last].flatMap(([key, value]) => (cache.get(key) === value ? value.weight : 0))
      expect(kept.reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(10)
    }),
  )
})

it('keeps what is used and forgets what is not', () => {
  const cache = new BoundedCache<number>(10)
  for (let key = 0; key < 100; key++) {
    cache.set(key, key, 1)
    cache.get(0)
  }

  expect([cache.get(0), cache.get(50), cache.get(99)]).toEqual([0, undefined, 99])
})

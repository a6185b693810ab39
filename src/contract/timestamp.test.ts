import { expect, it } from 'vitest'
import { timestamp } from './timestamp.ts'

it('writes milliseconds as ISO 8601 and keeps what is ISO 8601', () => {
  expect(timestamp().parse(1_234)).toBe('1970-01-01T00:00:01.234Z')
  expect(timestamp().parse('2026-01-02T03:04:05.678Z')).toBe('2026-01-02T03:04:05.678Z')
  expect(timestamp().nullable().parse(null)).toBeNull()
  expect(timestamp().safeParse('yesterday').success).toBe(false)
})

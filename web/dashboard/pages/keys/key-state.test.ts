import { expect, it } from 'vitest'
import { describeKeyState, maskKey } from './key-state.ts'

const now = Date.UTC(2026, 10, 21)
const at = (offset: number) => new Date(now + offset).toISOString()

it.each([
  [{ revokedAt: null, expiresAt: null }, 'Active', true],
  [{ revokedAt: null, expiresAt: at(1) }, 'Active', true],
  [{ revokedAt: null, expiresAt: at(0) }, 'Expired', false],
  [{ revokedAt: at(-1), expiresAt: null }, 'Revoked', false],
  [{ revokedAt: at(-2), expiresAt: at(-1) }, 'Revoked', false],
])('tells whether a key opens anything: %j', (key, label, isUsable) => {
  expect(describeKeyState(key, now)).toMatchObject({ label, isUsable })
})

it('shows of a key its kind and its last characters', () => {
  expect(maskKey({ kind: 'admin', hint: 'a1b2' })).toBe('svc_…a1b2')
  expect(maskKey({ kind: 'assistant', hint: 'a1b2' })).toBe('svc_dsc_…a1b2')
})

import { expect, it } from 'vitest'
import { readReturnAddress } from './return-address.ts'

const origin = 'https://docs.example.com'

it('leads back to the page that was asked for, its search included', () => {
  expect(readReturnAddress('/dashboard/default/keys?create=1#top', origin)).toBe('/dashboard/default/keys?create=1#top')
})

it('leads back to a pull request', () => {
  expect(readReturnAddress('/pull/abc_DEF-123/4', origin)).toBe('/pull/abc_DEF-123/4')
})

it.each([
  undefined,
  '',
  'https://evil.example/dashboard/default',
  '//evil.example/dashboard/default',
  '/\\evil.example/dashboard/',
  'javascript:alert(1)',
  '/dashboard/../pull-requests',
  '/dashboardfake/x',
  '/pull/abc/4/view',
  '/pull/../admin',
  '/dashboard/sign-in?returnTo=/dashboard/sign-in',
  'http://',
])('leads nowhere else: %s', (given) => {
  expect(readReturnAddress(given, origin)).toBe('/dashboard')
})

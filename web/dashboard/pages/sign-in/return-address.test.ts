import { expect, it } from 'vitest'
import { readReturnAddress } from './return-address.ts'

const origin = 'https://docs.example.com'

it('leads back to the page that was asked for, its search included', () => {
  expect(readReturnAddress('/dashboard/default/keys?create=1#top', origin)).toBe('/dashboard/default/keys?create=1#top')
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
  '/dashboard/sign-in?returnTo=/dashboard/sign-in',
  'http://',
])('leads nowhere but into the dashboard: %s', (given) => {
  expect(readReturnAddress(given, origin)).toBe('/dashboard')
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readReturnTo } from './return-to.ts'

it.each([
  ['/dashboard/default/keys', '/dashboard/default/keys'],
  ['/dashboard?tab=a&b=%20c#top', '/dashboard?tab=a&b=%20c#top'],
  ['/a/../b', '/b'],
])('goes to %s of this server', (asked, path) => {
  expect(readReturnTo(asked, '/home')).toBe(path)
})

it.each([
  [undefined],
  [''],
  ['dashboard'],
  ['https://evil.example'],
  ['//evil.example'],
  ['///evil.example'],
  ['/\\evil.example'],
  ['/\t/evil.example'],
  ['/%09//evil.example/..//evil.example\n'],
  ['/.//evil.example'],
  ['/a/..//evil.example'],
  ['javascript:alert(1)'],
  ['/' + 'a'.repeat(1_001)],
])('goes home instead of to %j', (asked) => {
  expect(readReturnTo(asked, '/home')).toBe('/home')
})

it('stays on this server for any target', () => {
  const pieces = fc.constantFrom('/', '\\', '.', '..', '@', ':', 'evil.example', '%2f', '\t', '?', '#', 'https:', ' ')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
      const path = readReturnTo(parts.join(''), '/home')

      expect(new URL(path, 'https://own.example/sign-in').origin).toBe('https://own.example')
      expect(path).toMatch(/^\/(?![/\\])/)
    }),
  )
})

import { expect, it } from 'vitest'
import { addressPrefix } from './address-prefix.ts'

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['::1', '::/48'],
  ['unknown', 'unknown'],
])('puts %s into %s', (address, prefix) => {
  expect(addressPrefix(address)).toBe(prefix)
})

import { expect, it } from 'vitest'
import { networkOf } from './sign-in-throttle.ts'

it.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:22ff:3:4:5:6', '2001:db8:1:2200::/56'],
  ['nonsense', 'unknown'],
])('counts %s with %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

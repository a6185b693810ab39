import { expect, it } from 'vitest'
import { addressBlock, clientNetwork } from './client-network.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9%eth0]', '2001:db8:1:2::/64'],
  ['fe80::5efe:203.0.113.7', 'fe80::/64'],
  ['::1', '::/64'],
  ['unknown', 'unknown'],
])('puts %s into %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

it.each([
  ['mapped', '::ffff:203.0.113.7'],
  ['mapped, in hexadecimal', '::ffff:cb00:7107'],
  ['mapped, in full', '0:0:0:0:0:FFFF:203.0.113.7'],
  ['compatible', '::cb00:7107'],
  ['translated', '::ffff:0:203.0.113.7'],
  ['behind NAT64', '64:ff9b::203.0.113.7'],
  ['6to4', '2002:cb00:7107:42::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:34ff:8ef8'],
])('counts an IPv4 address that is written as IPv6 (%s) as that address', (_, address) => {
  expect(clientNetwork(address)).toBe('203.0.113.7')
})

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2002:cb00:7107:42::1', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['unknown', 'unknown'],
])('puts %s into the block %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInRanges, normalizeAddress, parseIpRange } from './ip-ranges.ts'

describe('normalizeAddress', () => {
  it.each([
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:DB8::0001', '2001:db8::1'],
    ['[::1]', '::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['10.0.0.1', '10.0.0.1'],
  ])('writes %s as %s', (given, expected) => {
    expect(normalizeAddress(given)).toBe(expected)
  })

  it.each(['', 'localhost', '10.0.0.1:80', '10.0.0.256'])('rejects %j', (text) => {
    expect(normalizeAddress(text)).toBeNull()
  })
})

describe('parseIpRange', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1/32'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
  ])('reads %s as %s', (text, range) => {
    expect(parseIpRange(text)).toEqual({ range })
  })

  it.each(['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', 'x/8', '1', ''])(
    'refuses %j',
    (text) => {
      expect(parseIpRange(text)).toHaveProperty('fault')
    },
  )
})

describe('isInRanges', () => {
  it('never matches across address families', () => {
    expect(isInRanges('10.1.2.3', ['::/1', '2001:db8::/32'])).toBe(false)
    expect(isInRanges('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true)
  })

  it('agrees with a bitwise comparison', () => {
    fc.assert(
      fc.property(fc.nat(0xffffffff), fc.nat(0xffffffff), fc.integer({ min: 1, max: 32 }), (address, network, bits) => {
        const isInside = address >>> (32 - bits) === network >>> (32 - bits)
        expect(isInRanges(toAddress(address), [`${toAddress(network)}/${bits}`])).toBe(isInside)
      }),
    )
  })
})

function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
}

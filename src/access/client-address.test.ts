import { describe, expect, it } from 'vitest'
import { parseTrustedProxies, resolveClientAddress } from './client-address.ts'

const socket = '10.0.0.9'

describe('a number of trusted proxies', () => {
  it.each([
    ['0', '203.0.113.5', socket],
    ['1', undefined, socket],
    ['1', '203.0.113.5', '203.0.113.5'],
    ['1', '198.51.100.1, 203.0.113.5', '203.0.113.5'],
    ['2', '198.51.100.1, 203.0.113.5', '198.51.100.1'],
    ['5', '198.51.100.1, 203.0.113.5', '198.51.100.1'],
    ['1', '203.0.113.5:41000', '203.0.113.5'],
    ['1', '[2001:db8::1]:443', '2001:db8::1'],
    ['1', 'unknown', socket],
    ['2', 'garbage, 203.0.113.5', '203.0.113.5'],
  ])('with %s of them and %j the client is %s', (trusted, header, expected) => {
    expect(resolveClientAddress(socket, header, parseTrustedProxies(trusted))).toBe(expected)
  })
})

describe('addresses of trusted proxies', () => {
  const trusted = parseTrustedProxies('10.0.0.0/8, 192.0.2.1')

  it('trusts each hop only about the previous one', () => {
    expect(resolveClientAddress(socket, '6.6.6.6, 198.51.100.1, 192.0.2.1', trusted)).toBe('198.51.100.1')
  })

  it('ignores the header of untrusted senders', () => {
    expect(resolveClientAddress('198.51.100.7', '6.6.6.6', trusted)).toBe('198.51.100.7')
  })

  it('rejects anything but a number or addresses', () => {
    expect(() => parseTrustedProxies('loopback')).toThrow(/DOCENT_TRUST_PROXY.*"loopback"/)
  })
})

it('writes an IPv4 socket address as IPv4', () => {
  expect(resolveClientAddress('::ffff:127.0.0.1', undefined, parseTrustedProxies('0'))).toBe('127.0.0.1')
})

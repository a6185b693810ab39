import { describe, expect, it } from 'vitest'
import { isAllowedOrigin, parseOrigin } from './origins.ts'

describe('parseOrigin', () => {
  it.each([
    ['https://Docs.Example.com', 'https://docs.example.com'],
    ['https://docs.example.com:443/', 'https://docs.example.com'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['https://*.example.com', 'https://*.example.com'],
  ])('reads %s as %s', (text, origin) => {
    expect(parseOrigin(text)).toEqual({ origin })
  })

  it.each([
    'docs.example.com',
    'https://',
    'https://*',
    'https://a.*.com',
    'ftp://x.org',
    'https://x.org/path',
    'https://u@x.org',
    '*',
    'null',
  ])('refuses %j', (text) => {
    expect(parseOrigin(text)).toHaveProperty('fault')
  })
})

describe('isAllowedOrigin', () => {
  it.each([
    ['https://a.example.com', true],
    ['https://a.b.example.com', true],
    ['https://example.com', false],
    ['https://evilexample.com', false],
    ['http://a.example.com', false],
    ['https://a.example.com.evil.org', false],
    ['null', false],
  ])('takes %s for *.example.com: %s', (origin, expected) => {
    expect(isAllowedOrigin(origin, ['https://*.example.com'])).toBe(expected)
  })
})

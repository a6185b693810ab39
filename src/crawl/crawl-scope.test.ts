import { describe, expect, it } from 'vitest'
import { readScope, resolveInScope } from './crawl-scope.ts'

const scope = { origin: 'https://docs.example.com', prefix: '/guide' }
const base = new URL('https://docs.example.com/guide/start/')

describe('resolveInScope', () => {
  it.each([
    ['../install', '/guide/install'],
    ['/guide', '/guide'],
    ['/guide/a?x=1#y', '/guide/a'],
    ['https://docs.example.com:443/guide/b', '/guide/b'],
    ['//docs.example.com/guide/c', '/guide/c'],
    ['/guide/x/../d', '/guide/d'],
  ])('keeps %s', (link, path) => {
    expect(resolveInScope(link, base, scope)?.pathname).toBe(path)
  })

  it.each([
    'https://evil.example/?u=https://docs.example.com/guide',
    'https://evil.example/https://docs.example.com/guide/a',
    'https://docs.example.com.evil.example/guide/a',
    'https://docs.example.com@evil.example/guide/a',
    'https://user:pass@docs.example.com/guide/a',
    'https://docs.example.com:8443/guide/a',
    'http://docs.example.com/guide/a',
    'https://evil.example\\@docs.example.com/guide/a',
    '//evil.example/guide/a',
    '/guidebook/a',
    '/guide/../secret',
    '/guide/%2e%2e/secret',
    '/guide/..%2fsecret',
    '/guide/..%5csecret',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://[',
    `/guide/${'a'.repeat(3000)}`,
  ])('refuses %s', (link) => {
    expect(resolveInScope(link, base, scope)).toBeNull()
  })
})

describe('readScope', () => {
  it.each([
    'ftp://example.com',
    'file:///etc',
    'https://user:pass@example.com',
    'https://example.com:8080',
    'https://example.com:22',
    'example.com',
    '',
  ])('refuses %j', (address) => {
    expect(readScope(address, false)).toHaveProperty('fault')
  })

  it('takes the path without its last slash or index file', () => {
    const prefixes = ['https://a.dev/', 'https://a.dev/x/', 'https://a.dev/x/index.html?y#z'].map((address) => {
      const read = readScope(address, false)
      return 'scope' in read ? read.scope.prefix : null
    })

    expect(prefixes).toEqual(['', '/x', '/x'])
  })
})

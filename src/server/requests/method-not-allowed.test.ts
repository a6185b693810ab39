import { expect, it } from 'vitest'
import { createMissingRoute } from './method-not-allowed.ts'

const missing = createMissingRoute([
  { method: 'ALL', path: '/*' },
  { method: 'GET', path: '/v1/keys' },
  { method: 'POST', path: '/v1/keys' },
  { method: 'POST', path: '/v1/keys/:id/revoke' },
  { method: 'GET', path: '/sites/:domain/:path{.+}' },
  { method: 'GET', path: '/a.b' },
])

it.each([
  ['/v1/keys', 'GET, HEAD, POST'],
  ['/v1/keys/key_1/revoke', 'POST'],
  ['/sites/docs/a/b/c', 'GET, HEAD'],
])('tells the methods of %s', (path, allow) => {
  expect(missing(path)).toMatchObject({ code: 'method_not_allowed', headers: { Allow: allow } })
})

it.each(['/v1', '/v1/keys/', '/v1/keys/a/b/revoke', '/axb', '/'])('does not find %s', (path) => {
  expect(missing(path).code).toBe('not_found')
})

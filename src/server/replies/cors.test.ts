import { expect, it } from 'vitest'
import { corsHeaders } from './cors.ts'

it('allows user-agent in preflights, which Safari and Firefox send for some releases [cors-preflight]', () => {
  const answer = corsHeaders({
    method: 'OPTIONS',
    origin: 'https://docs.example.com',
    requestedHeaders: 'authorization,content-type,user-agent',
  })

  expect(answer).toEqual({
    isPreflight: true,
    headers: {
      'Access-Control-Allow-Origin': 'https://docs.example.com',
      Vary: 'Origin',
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, User-Agent, Last-Event-ID',
      'Access-Control-Max-Age': '600',
    },
  })
})

it('echoes further headers, and only what can be a header name [cors-preflight]', () => {
  const { headers } = corsHeaders({
    method: 'OPTIONS',
    origin: null,
    requestedHeaders: 'X-Custom, bad name,\r\nEvil: 1,, x_y',
  })

  expect(headers['Access-Control-Allow-Headers']).toBe(
    'Authorization, Content-Type, User-Agent, Last-Event-ID, X-Custom, x_y',
  )
})

it('lets pages read the headers of every reply, for their origin alone', () => {
  expect(corsHeaders({ method: 'POST', origin: 'https://a.example', requestedHeaders: null })).toEqual({
    isPreflight: false,
    headers: {
      'Access-Control-Allow-Origin': 'https://a.example',
      Vary: 'Origin',
      'Access-Control-Expose-Headers':
        'X-Thread-Id, X-Thread-Key, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
    },
  })
})

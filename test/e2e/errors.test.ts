import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBodySchema } from '../../src/contract/error-body.ts'
import { adminKey, assistantKey, type Docent, startDocent } from '../support/start-docent.ts'

let docent: Docent
beforeAll(async () => {
  docent = await startDocent()
})
afterAll(() => docent.remove())

const message = '/discovery/v2/assistant/docs/message'
const question = {
  fp: 'anonymous',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'How do I install Kiosk?' }] }],
}

async function expectError(response: Response, status: number, code: string) {
  const body = errorBodySchema.parse(await response.json())
  expect({ status: response.status, code: body.code }).toEqual({ status, code })
  expect(body.error).toBe(body.message)
  expect(body.error).toMatch(/^[A-Z].*[.:]/s)
  expect(body.requestId).toBe(response.headers.get('x-request-id'))
  expect(body.details === undefined).toBe(status !== 400 || code === 'invalid_json')
  return body
}

describe('every error has the body of the contract', () => {
  it('on a path that does not exist', async () => {
    await expectError(await docent.get('/nothing/here'), 404, 'not_found')
    await expectError(await docent.get('/discovery/v1/nothing'), 404, 'not_found')
  })

  it('on a wrong method, with Allow', async () => {
    const onMessage = await docent.get(message)
    await expectError(onMessage, 405, 'method_not_allowed')
    expect(onMessage.headers.get('allow')).toBe('OPTIONS, POST')

    const onKeys = await fetch(`${docent.url}/admin/v1/keys`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
      body: '{}',
    })
    await expectError(onKeys, 405, 'method_not_allowed')
    expect(onKeys.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  it('on JSON that does not parse', async () => {
    await expectError(await docent.post(message, '{"fp": '), 400, 'invalid_json')
    await expectError(await docent.post('/discovery/v1/search/docs', '{"query": '), 400, 'invalid_json')
    await expectError(
      await docent.post('/admin/v1/keys', '{', { authorization: `Bearer ${adminKey}` }),
      400,
      'invalid_json',
    )
  })

  it('on a body of another type', async () => {
    const response = await docent.post(message, JSON.stringify(question), { 'content-type': 'text/plain' })
    await expectError(response, 415, 'unsupported_media_type')
    await expectError(await docent.post('/auth/sign-in', '', { 'content-type': '!' }), 415, 'unsupported_media_type')
  })

  it('on a body that is too large, announced or not', async () => {
    const large = JSON.stringify({ ...question, extra: 'x'.repeat(4 * 1024 * 1024) })
    await expectError(await docent.post(message, large), 413, 'body_too_large')

    const chunked = await fetch(docent.url + message, {
      method: 'POST',
      headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
      body: new Blob([large]).stream(),
      duplex: 'half',
    } as RequestInit)
    await expectError(chunked, 413, 'body_too_large')
  })

  it('but takes a body whose length is not announced, and none where none is needed', async () => {
    const chunked = await fetch(docent.url + message, {
      method: 'POST',
      headers: { authorization: `Bearer ${assistantKey}`, 'content-type': 'application/json' },
      body: new Blob([JSON.stringify(question)]).stream(),
      duplex: 'half',
    } as RequestInit)
    const empty = await fetch(`${docent.url}/admin/v1/sites/docs/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminKey}` },
    })

    expect(await chunked.text()).toContain('data: [DONE]')
    expect(empty.status).toBe(200)
  })

  it('on faults of a question, with the place of each', async () => {
    const noFp = await expectError(await docent.post(message, { messages: question.messages }), 400, 'invalid_request')
    expect(noFp.details?.map(({ path }) => path)).toEqual(['fp'])
    const badRole = await docent.post(message, { fp: 'a', messages: [{ role: 'wizard', parts: [] }] })
    expect((await expectError(badRole, 400, 'invalid_request')).details?.[0]?.path).toBe('messages.0.role')
    for (const body of [
      { ...question, messages: [] },
      { ...question, messages: [{ role: 'user', parts: [] }] },
      { ...question, retrievalPageSize: 0 },
      { ...question, currentPath: `/${'x'.repeat(200)}` },
      { ...question, fp: 'x'.repeat(257) },
      { ...question, threadId: 'x'.repeat(129) },
      [],
    ]) {
      await expectError(await docent.post(message, body), 400, 'invalid_request')
    }
  })

  it('on a bad query of a list', async () => {
    const response = await docent.get('/admin/v1/keys?limit=0', { authorization: `Bearer ${adminKey}` })
    expect((await expectError(response, 400, 'invalid_request')).details?.[0]?.path).toBe('limit')
  })
})

describe('keys open only what they are for', () => {
  it('refuses a request without a key, with the challenge', async () => {
    const response = await docent.post(message, question, { authorization: '' })
    await expectError(response, 401, 'key_missing')
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('refuses an unknown key and one that is none', async () => {
    await expectError(
      await docent.post(message, question, { authorization: `Bearer svc_dsc_${'x'.repeat(43)}` }),
      401,
      'key_invalid',
    )
    await expectError(await docent.post(message, question, { authorization: 'Bearer letmein' }), 401, 'key_invalid')
    await expectError(await docent.post(message, question, { authorization: 'Basic dTpw' }), 401, 'key_missing')
  })

  it('refuses each kind of key on the paths of the other', async () => {
    await expectError(
      await docent.post(message, question, { authorization: `Bearer ${adminKey}` }),
      403,
      'wrong_key_kind',
    )
    await expectError(
      await docent.get('/admin/v1/keys', { authorization: `Bearer ${assistantKey}` }),
      403,
      'wrong_key_kind',
    )
  })

  it('tells nothing of other sites', async () => {
    await expectError(await docent.post('/discovery/v2/assistant/other/message', question), 404, 'site_not_found')
  })

  it('checks the key before it looks at the body', async () => {
    await expectError(
      await docent.post(message, 'nonsense', { authorization: '', 'content-type': 'text/plain' }),
      401,
      'key_missing',
    )
  })
})

describe('CORS', () => {
  const origin = 'https://docs.example.com'

  it('answers a preflight that asks for user-agent, without a key', async () => {
    const response = await fetch(docent.url + message, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,user-agent,x-own',
      },
    })

    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS')
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(/, */)
    for (const name of ['authorization', 'content-type', 'user-agent', 'last-event-id', 'x-own'])
      expect(allowed).toContain(name)
    expect(response.headers.get('vary')).toBe('Origin')
    expect(response.headers.get('access-control-max-age')).toBe('600')
  })

  it('lets pages read every reply of the discovery paths, errors too', async () => {
    const replies = [
      await docent.post(message, question, { origin }),
      await docent.post(message, question, { origin, authorization: '' }),
      await docent.post('/discovery/v1/search/docs', { query: 'printer' }, { origin }),
      await docent.post('/discovery/v1/unknown', {}, { origin }),
    ]

    for (const reply of replies) {
      expect(reply.headers.get('access-control-allow-origin')).toBe(origin)
      expect(reply.headers.get('access-control-expose-headers')).toBe(
        'X-Thread-Id, X-Thread-Key, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id',
      )
      await reply.body?.cancel()
    }
  })

  it('says nothing of CORS on admin paths', async () => {
    const reply = await docent.get('/admin/v1/keys', { origin, authorization: `Bearer ${adminKey}` })

    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

it('answers a host that is none with the error body too', async () => {
  const { hostname, port } = new URL(docent.url)
  const reply = await new Promise<{ status?: number; body: string }>((resolve, reject) => {
    const sent = request(
      { hostname, port, path: '/healthz', headers: { host: 'user@evil.example/x?y' } },
      (message) => {
        let body = ''
        message.on('data', (chunk: Buffer) => void (body += chunk.toString()))
        message.on('end', () => resolve({ status: message.statusCode ?? 0, body }))
      },
    )
    sent.on('error', reject)
    sent.end()
  })

  expect(reply.status).toBe(400)
  expect(errorBodySchema.parse(JSON.parse(reply.body)).code).toBe('invalid_request')
})

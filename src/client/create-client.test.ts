import { expect, expectTypeOf, it } from 'vitest'
import type { KeyResource } from '../contract/admin.ts'
import { allOperations } from '../contract/operations/all-operations.ts'
import { createClient, operationAddress, type Send } from './create-client.ts'

const refusal = { error: 'No.', message: 'No.', code: 'not_found', requestId: 'r' }

function setup(reply: () => Response) {
  const sent: { path: string; init: Parameters<Send>[1] }[] = []
  const send: Send = async (path, init) => {
    sent.push({ path, init })
    return reply()
  }
  return { client: createClient(allOperations, send, { authorization: 'Bearer token' }), sent }
}

it('has a method for each operation', () => {
  const { client } = setup(() => Response.json({}))

  expect(Object.keys(client)).toEqual(Object.values(allOperations).map(({ id }) => id))
})

it('escapes what it puts into an address, and leaves out what is not given', async () => {
  const { client, sent } = setup(() => Response.json({ items: [], nextCursor: null }))

  await client.listThreads({ params: { id: 'a/b' }, query: { cursor: 'c/d', search: undefined } })
  await client.listKeys({ query: { cursor: null } })
  await client.listKeys()

  expect(sent.map(({ path }) => path)).toEqual([
    '/admin/v1/sites/a%2Fb/threads?cursor=c%2Fd',
    '/admin/v1/keys',
    '/admin/v1/keys',
  ])
  expect(operationAddress(allOperations.exportQuestions, { query: { format: 'csv' } })).toBe(
    '/admin/v1/insights/export?format=csv',
  )
})

it('sends credentials always, and JSON with everything that may change something', async () => {
  const { client, sent } = setup(() => new Response(null, { status: 204 }))

  expect(await client.deleteSite({ params: { id: 'docs' }, timeLimitMs: 5 })).toBeNull()

  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
  expect(sent).toEqual([
    { path: '/admin/v1/sites/docs', init: { method: 'DELETE', headers, body: '{}', timeLimitMs: 5 } },
  ])
})

it('parses replies by the schema of the operation', async () => {
  const { client } = setup(() => Response.json({ items: [{ id: 1 }], nextCursor: null }))

  await expect(client.listKeys()).rejects.toThrow(/must be a string/)
  expectTypeOf(client.getKey({ params: { id: '' } }).catch(() => null)).resolves.toEqualTypeOf<KeyResource | null>()
})

it('throws what the server refused with', async () => {
  const { client } = setup(() => Response.json(refusal, { status: 404 }))

  await expect(client.getKey({ params: { id: 'key_1' } })).rejects.toMatchObject({ code: 'not_found', message: 'No.' })
})

it('throws where a proxy in between answers with a page of its own', async () => {
  const { client } = setup(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))

  await expect(client.listKeys()).rejects.toMatchObject({ code: 'internal_error', message: /502/ })
})

it('returns the response of an operation that streams', async () => {
  const { client } = setup(() => new Response('data: {}'))

  const response = await client.followJob({ params: { projectId: 'p', id: 'j' }, headers: { 'Last-Event-ID': '3' } })

  expect(await response.text()).toBe('data: {}')
})

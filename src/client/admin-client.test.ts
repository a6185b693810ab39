import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createAdminClient } from './admin-client.ts'

const openapi = new URL('../../docs/openapi.json', import.meta.url)
const refusal = { error: 'No.', message: 'No.', code: 'not_found', requestId: 'r' }

/** The operations of the published API, with an address for each that no other has. */
function listOperations() {
  const { paths } = JSON.parse(readFileSync(openapi, 'utf8')) as { paths: Record<string, Record<string, unknown>> }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      address: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    })),
  )
}

/** Calls every method with a value that has to be escaped in an address. @returns What each one asks for. */
async function callAll() {
  const asked: Record<string, { method: string; path: string }> = {}
  let current = ''
  const client = createAdminClient(async (path, { method = '' }) => {
    asked[current] = { method, path }
    return Response.json(refusal, { status: 404 })
  }, 'token')
  for (const [name, method] of Object.entries(client)) {
    current = name
    // Of each method only the address is looked at, so that any values do.
    const result = (method as (...values: string[]) => Promise<unknown> | AsyncGenerator)('a/b', 'a/b', 'a/b')
    await expect('next' in result ? result.next() : result).rejects.toMatchObject({ code: 'not_found' })
  }
  return asked
}

it('asks for operations that the API has, one for each method', async () => {
  const operations = listOperations()

  const asked = Object.entries(await callAll()).map(([name, { method, path }]) => {
    const [address = ''] = path.split('?')
    const found = operations.filter((operation) => operation.method === method && operation.address.test(address))
    return { name, found: found.map(({ name }) => name) }
  })

  expect(asked.filter(({ found }) => found.length === 0)).toEqual([])
  expect(new Set(asked.map(({ found }) => found.join())).size).toBe(asked.length)
})

it('escapes whatever it puts into an address', async () => {
  const paths = Object.values(await callAll()).map(({ path }) => path)

  expect(paths.filter((path) => path.includes('a/b'))).toEqual([])
  expect(paths).toContain('/admin/v1/automations?cursor=a%2Fb')
})

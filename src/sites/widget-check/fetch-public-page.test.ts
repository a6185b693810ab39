import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGuardedFetch } from '../../base/guarded-fetch.ts'
import { fetchPublicPage } from './fetch-public-page.ts'

let server: Server
let origin: string
beforeAll(async () => {
  const redirects: Record<string, string> = { '/loop': '/loop', '/moved': '/page' }
  server = createServer((request, response) => {
    const path = request.url ?? ''
    const location = redirects[path]
    response.setHeader('content-security-policy', "default-src 'self', img-src *")
    if (location !== undefined) response.writeHead(302, { location }).end()
    else if (path === '/private') response.writeHead(401).end('Sign in')
    else if (path === '/page') response.end('<p>Hello</p>')
    // More than is read, and without an end.
    else response.write('x'.repeat(3_000_000))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // It listens on a port.
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const fetchPage = (path: string, allowsPrivateAddresses = true) =>
  fetchPublicPage(createGuardedFetch({ allowsPrivateAddresses }), origin + path, AbortSignal.timeout(20_000))

it('follows redirects and reads every policy', async () => {
  expect(await fetchPage('/moved')).toEqual({
    url: new URL(`${origin}/page`),
    html: '<p>Hello</p>',
    policies: ["default-src 'self'", ' img-src *'],
  })
})

it('reads no more of a page than its start', async () => {
  const page = await fetchPage('/endless')

  expect('html' in page && page.html.length).toBe(2_000_000)
})

it.each([
  ['/loop', /redirects more than 5 times/],
  ['/private', /status 401/],
])('says what is wrong with %s', async (path, message) => {
  expect(await fetchPage(path)).toMatchObject({ state: 'failed', message: expect.stringMatching(message) })
})

it('reaches no private network, nor a port that nobody answers on', async () => {
  const refused = { state: 'warning', message: expect.stringMatching('may not fetch addresses in private networks') }
  expect(await fetchPage('/page', false)).toMatchObject(refused)
  const unused = createGuardedFetch({ allowsPrivateAddresses: true })
  const unreached = { state: 'failed', message: expect.stringMatching('could not be fetched') }
  expect(await fetchPublicPage(unused, 'http://127.0.0.1:1/', AbortSignal.timeout(5_000))).toMatchObject(unreached)
})

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { bindToOrigin, RedirectRefusedError } from './bind-to-origin.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

interface Seen {
  method: string
  url: string
  key: string | undefined
  body: string
}

/** Answers with the status and `location` that its address names: `/307?http://elsewhere/`, and else with 200. */
async function startServer() {
  const seen: Seen[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { method = '', url = '' } = request
    seen.push({ method, url, key: request.headers['x-api-key']?.toString(), body })
    const [, status, location] = /^\/(\d{3})\?(.+)$/.exec(url) ?? []
    if (location === undefined) return void response.end('here')
    response.writeHead(Number(status), { location: decodeURIComponent(location) }).end('a redirect')
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on a port.
  return {
    seen,
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const post = { method: 'POST', headers: { 'x-api-key': 'the-key' }, body: '{"prompt":"a"}' }
const senders: [string, typeof fetch][] = [
  ['the fetch of the platform', fetch],
  ['the guarded fetch', createGuardedFetch({ allowsPrivateAddresses: true })],
]

describe.each(senders)('by %s', (_, send) => {
  it.each([301, 302, 303, 307, 308])('sends nothing to another origin after a %i', async (status) => {
    await using own = await startServer()
    await using other = await startServer()

    const posting = bindToOrigin(send, 3)(`${own.url}/${status}?${encodeURIComponent(other.url)}/v1`, post)
    await expect(posting).rejects.toThrow(RedirectRefusedError)
    const reading = bindToOrigin(send, 3)(`${own.url}/${status}?${encodeURIComponent(other.url)}/v1`)
    await expect(reading).rejects.toThrow(RedirectRefusedError)

    expect(other.seen).toEqual([])
  })

  it('follows 307 and 308 within the origin with method, headers and body, up to the bound', async () => {
    await using own = await startServer()
    const twice = `${own.url}/307?${encodeURIComponent('/308?/v1/messages')}`

    const reply = await bindToOrigin(send, 2)(twice, post)

    expect([reply.status, await reply.text()]).toEqual([200, 'here'])
    expect(own.seen[2]).toEqual({ method: 'POST', url: '/v1/messages', key: 'the-key', body: post.body })
    await expect(bindToOrigin(send, 1)(twice, post)).rejects.toThrow(RedirectRefusedError)
  })

  it('follows none where none are allowed, and none that would turn a POST into a GET', async () => {
    await using own = await startServer()

    await expect(bindToOrigin(send, 0)(`${own.url}/307?/v1`, post)).rejects.toThrow('redirects to another address')
    await expect(bindToOrigin(send, 3)(`${own.url}/303?/v1`, post)).rejects.toThrow(RedirectRefusedError)
    expect(own.seen.map(({ url }) => url)).toEqual(['/307?/v1', '/303?/v1'])
  })

  it('treats a redirect to another port or scheme of the host as another origin', async () => {
    await using own = await startServer()
    const elsewhere = ['//127.0.0.1:1/', 'https://127.0.0.1/', 'http://127.0.0.1.example/', 'http://[::1']

    const replies = elsewhere.map((url) => bindToOrigin(send, 3)(`${own.url}/307?${encodeURIComponent(url)}`, post))

    await Promise.all(replies.map((reply) => expect(reply).rejects.toThrow(RedirectRefusedError)))
  })
})

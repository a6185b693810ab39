import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The response to a path: a body, or a full response. */
export type TestReply = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** A local website for tests. Unknown paths return 404. */
export async function startTestSite(replies: Readonly<Record<string, TestReply>>) {
  const requests: { path: string; host: string; agent: string }[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    requests.push({ path, host: request.headers.host ?? '', agent: request.headers['user-agent'] ?? '' })
    const reply = replies[path]
    if (reply === undefined) response.writeHead(404).end()
    else if (typeof reply === 'function') reply(request, response)
    else response.writeHead(200, { 'content-type': typeOf(path) }).end(reply)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server has an address of this type.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    paths: () => requests.map(({ path }) => path),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

function typeOf(path: string): string {
  if (path.endsWith('.xml')) return 'application/xml'
  return path.endsWith('.txt') ? 'text/plain' : 'text/html; charset=utf-8'
}

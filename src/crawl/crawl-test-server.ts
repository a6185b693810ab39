import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server answers at a path: text, or a reply in full. */
export type TestReply = string | ((request: IncomingMessage, response: ServerResponse) => void)

/** A website on this machine, for tests. Paths that are not given answer 404. */
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
  // A server that listens on a port has an address of this kind.
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

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StrictPage {
  url: string
  close(): Promise<void>
}

/** What a page sets that others may not add anything to: no inline style, no markup from text, no other host. */
const strictPolicy = (host: string) =>
  `default-src 'self'; script-src 'self' ${host}; connect-src ${host}; require-trusted-types-for 'script'`

/** What a page sets that trusts only scripts of its own server and what these load. */
export const noncePolicy = (host: string) =>
  `default-src 'self'; script-src 'nonce-n1' 'strict-dynamic'; style-src 'nonce-n1'; connect-src ${host}; require-trusted-types-for 'script'; trusted-types 'none'`

/** Serves one page at every path, on an origin of its own, under a policy that allows scripts and requests of one host. */
export async function serveStrictPage(html: string, host: string, writePolicy = strictPolicy): Promise<StrictPage> {
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.ico')) return response.writeHead(204).end()
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': writePolicy(host) }
    return response.writeHead(200, headers).end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

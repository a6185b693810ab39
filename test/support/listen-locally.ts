import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface LocalServer {
  /** Without a slash at its end. */
  origin: string
  close(): Promise<void>
}

/** Answers on a free port of this machine. An answer that fails ends its connection. */
export async function listenLocally(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    answer(request, response).catch((error: unknown) => response.destroy(error as Error)) // Errors are errors.
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // It listens on a port, not on a pipe.
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

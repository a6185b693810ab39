import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

export interface ReceivedRequest {
  headers: IncomingHttpHeaders
  body: string
}

/** A service that is told what happens. */
export interface WebhookReceiver extends AsyncDisposable {
  url: string
  readonly requests: readonly ReceivedRequest[]
  /** Answers from now on. */
  answer: (response: ServerResponse, request: ReceivedRequest) => void
  /** Waits until a request like that has come. */
  waitFor(isWanted: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const requests: ReceivedRequest[] = []
  const server = createServer((incoming, response) => {
    const chunks: Uint8Array[] = []
    incoming.on('data', (chunk: Uint8Array) => chunks.push(chunk))
    incoming.on('end', () => {
      const request = { headers: incoming.headers, body: Buffer.concat(chunks).toString() }
      requests.push(request)
      receiver.answer(response, request)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A server that listens on a port has an address of this kind.
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    answer: (response) => void response.writeHead(204).end(),
    async waitFor(isWanted) {
      for (;;) {
        const found = requests.find(isWanted)
        if (found !== undefined) return found
        await wait(25)
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
  return receiver
}

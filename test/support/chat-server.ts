import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A call of the product, as a chat platform received it. */
export interface ChatCall {
  method: string
  /** With the query. */
  path: string
  authorization: string | undefined
  body: string
}

/** What a platform replies; `cut`: it did what was asked, and the connection breaks before the reply. */
export type ChatServerReply = { status?: number; headers?: Record<string, string>; json: unknown } | 'cut'

export interface ChatServer extends AsyncDisposable {
  url: string
  readonly calls: readonly ChatCall[]
}

/** A chat platform's HTTP side: `handle` decides on each call. */
export async function startChatServer(handle: (call: ChatCall) => ChatServerReply): Promise<ChatServer> {
  const calls: ChatCall[] = []
  const server = createServer((incoming, response) => {
    void takeCall(incoming, response)
  })
  const takeCall = async (incoming: IncomingMessage, response: ServerResponse) => {
    const call = await readCall(incoming)
    calls.push(call)
    reply(response, handle(call))
  }
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // A server that listens on a port has an address of this kind.
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

async function readCall(incoming: IncomingMessage): Promise<ChatCall> {
  const chunks: Uint8Array[] = []
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array) // Without an encoding, chunks are buffers.
  const { method = '', url = '', headers } = incoming
  return { method, path: url, authorization: headers.authorization, body: Buffer.concat(chunks).toString() }
}

function reply(response: ServerResponse, answer: ChatServerReply): void {
  if (answer === 'cut') return void response.socket?.destroy()
  response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
  response.end(JSON.stringify(answer.json))
}

/** Waits until something is there. */
export async function waitFor<Value>(look: () => Value | undefined): Promise<Value> {
  for (;;) {
    const found = look()
    if (found !== undefined) return found
    await wait(10)
  }
}

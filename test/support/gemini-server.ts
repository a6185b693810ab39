import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { ScriptedStep } from './scripted-provider.ts'

/** What provider packages send to Google's Gemini API. */
export interface GeminiRequest {
  contents: { role: 'user' | 'model'; parts: { text?: string; functionResponse?: object }[] }[]
}

/** Google's Gemini API over a real socket, with a model that does what a script says. */
export async function startGeminiServer(
  script: (request: GeminiRequest) => ScriptedStep,
): Promise<{ url: string; close(): Promise<void> }> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as GeminiRequest // Provider packages send this shape.
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of listEvents(script(body))) response.write(`data: ${JSON.stringify(event)}\r\n\r\n`)
    response.end()
  }
  const server = createServer((request, response) => {
    response.on('error', () => undefined)
    answer(request, response).catch((error: unknown) => response.destroy(error as Error)) // Errors are errors.
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`, // It listens on a port, not on a pipe.
    async close() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

/** Calls come whole, and each in an event of its own. */
function listEvents({ text, calls = [] }: ScriptedStep): object[] {
  const parts = [
    ...[text ?? []].flat().map((piece) => ({ text: piece })),
    ...calls.map(({ tool, input }) => ({ functionCall: { name: tool, args: input } })),
  ]
  const content = (part: object) => ({ content: { role: 'model', parts: [part] }, index: 0 })
  return [
    ...parts.map((part) => ({ candidates: [content(part)] })),
    {
      candidates: [{ ...content({ text: '' }), finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    },
  ]
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listenLocally } from './listen-locally.ts'
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
  const { origin, close } = await listenLocally(answer)
  return {
    url: `${origin}/v1beta`,
    close,
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

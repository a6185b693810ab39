import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createUIMessageStream,
  pipeUIMessageStreamToResponse,
  simulateReadableStream,
  streamText,
  type UIMessageChunk,
} from 'ai-v7'
import { MockLanguageModelV4 } from 'ai-v7/test'
import { serveMeasurements } from './measured-server.ts'

// The AI SDK's own server helper, with the same pieces from a model that is as instant as ours, after the same search
// parts, and nothing else: no key, no limit, no search, no storage.

const [pieces, searchParts] = process.argv.slice(2).map((argument) => JSON.parse(argument)) as [
  string[],
  UIMessageChunk[],
] // Written by the benchmark that starts this file.
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const model = new MockLanguageModelV4({
  doStream: async () => ({
    stream: simulateReadableStream({
      initialDelayInMs: null,
      chunkDelayInMs: null,
      chunks: [
        { type: 'stream-start', warnings: [] },
        { type: 'text-start', id: 't' },
        ...pieces.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
        { type: 'text-end', id: 't' },
        { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
      ],
    }),
  }),
})

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { messages: { parts: { text: string }[] }[] } // Ours.
    const prompt = body.messages[0]?.parts[0]?.text ?? ''
    const stream = createUIMessageStream({
      execute: ({ writer }) => {
        for (const part of searchParts) writer.write(part)
        writer.merge(streamText({ model, prompt }).toUIMessageStream())
      },
    })
    void pipeUIMessageStreamToResponse({ response, stream })
  })
})
server.listen(0, '127.0.0.1', () => serveMeasurements((server.address() as AddressInfo).port)) // A TCP server has no other.

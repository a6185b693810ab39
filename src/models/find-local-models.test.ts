import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { findLocalModels, type LocalServer } from './find-local-models.ts'

/** A program on this machine that answers with a text, or never. */
async function serve(reply: string | null) {
  const server = createServer((_, response) => void (reply === null || response.end(reply))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // It listens on a port.
  const readNames = (value: unknown) => (value as { names: string[] }).names
  const local: LocalServer = { name: 'Test', baseUrl: `${url}/v1`, listUrl: url, readNames }
  const dispose = async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  }
  return { local, [Symbol.asyncDispose]: dispose }
}

it('offers the models of a program on this machine that can answer', async () => {
  await using ollama = await serve(JSON.stringify({ names: ['qwen3:8b', 'nomic-embed-text', 'a; rm -rf /'] }))

  const found = await findLocalModels([ollama.local])

  expect(found).toEqual([{ server: 'Test', id: 'openai-compatible/qwen3:8b', baseUrl: ollama.local.baseUrl }])
})

it.each([
  ['never answers', null],
  ['answers with something else', '<html>'],
  ['has a list without an end', 'x'.repeat(2_000_000)],
])('offers nothing of a program that %s', async (_, reply) => {
  await using other = await serve(reply)

  expect(await findLocalModels([other.local])).toEqual([])
})

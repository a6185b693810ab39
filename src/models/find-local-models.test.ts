import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { AddressRefusedError } from '../base/address-book.ts'
import { findLocalModels, isOnLocalServer, listLocalServers, type LocalServer } from './find-local-models.ts'
import { createStoredAddressFetch } from './providers/provider-fetch.ts'

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

it('lets a stored address reach the models of a local server, and nothing else on this machine', async () => {
  await using ollama = await serve('{}')
  await using other = await serve('{}')
  const { baseUrl, listUrl } = ollama.local
  const send = createStoredAddressFetch(false, [ollama.local])
  const ask = (url: string) => send(url, { signal: AbortSignal.timeout(5_000) })

  expect((await ask(`${baseUrl}/chat/completions`)).status).toBe(200)
  for (const url of [
    listUrl,
    `${listUrl}/v1x`,
    `${baseUrl}/../api/pull`,
    `${baseUrl}/%2e%2e/api`,
    other.local.baseUrl,
  ]) {
    await expect(ask(url)).rejects.toThrow(AddressRefusedError)
  }
})

it('offers no server where replicas share a database, or the operator wants none', () => {
  const url = new URL('http://127.0.0.1:11434/v1')

  expect(isOnLocalServer(listLocalServers({ findLocalModels: true, databaseUrl: undefined }), url)).toBe(true)
  expect(listLocalServers({ findLocalModels: true, databaseUrl: 'postgres://db' })).toEqual([])
  expect(listLocalServers({ findLocalModels: false, databaseUrl: undefined })).toEqual([])
})

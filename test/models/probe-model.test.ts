import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import { unlimitedAccount } from '../../src/models/calls/model-account.ts'
import { estimateProbe, probeModel } from '../../src/models/calls/probe-model.ts'
import { createModelAlone } from '../../src/models/model-registry.ts'
import { createManualTime } from './manual-time.ts'

interface Ability {
  streams: boolean
  tools: boolean
  caches: boolean
  sees: boolean
  counts: boolean
}

const able: Ability = { streams: true, tools: true, caches: true, sees: true, counts: true }

interface Body {
  tools?: unknown[]
  messages: { content: string | { text?: string; image_url?: { url: string } }[] }[]
}

/** A server that speaks chat completions with what it can do. */
async function startServer(ability: Ability) {
  const seen = new Set<string>()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as Body // Provider packages send JSON objects.
    if (!ability.tools && body.tools) return refuse(response, 'This model does not support tools.')
    const image = findImage(body)
    if (!ability.sees && image !== null) return refuse(response, 'This model does not support images.')
    const system = JSON.stringify(body.messages[0])
    const cached = ability.caches && seen.has(system) ? 1_024 : 0
    seen.add(system)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const delta of chooseDeltas(ability, body, image)) send(response, { choices: [{ index: 0, delta }] })
    const usage = { prompt_tokens: 2_000, completion_tokens: 5, prompt_tokens_details: { cached_tokens: cached } }
    send(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...(ability.counts && { usage }) })
    response.end('data: [DONE]\n\n')
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // It listens on a port.
  const dispose = async () => void (await once(server.close(), 'close'))
  return { url: `http://127.0.0.1:${port}/v1`, [Symbol.asyncDispose]: dispose }
}

function chooseDeltas(ability: Ability, body: Body, image: string | null): object[] {
  const call = {
    index: 0,
    id: 'call_1',
    type: 'function',
    function: { name: 'report_number', arguments: '{"number":7}' },
  }
  if (body.tools) return [{ tool_calls: [call] }]
  if (image !== null) return [{ content: image }]
  return ability.streams ? [{ content: 'one ' }, { content: 'two' }] : [{ content: 'one two' }]
}

const send = (response: ServerResponse, event: object) =>
  response.write(`data: ${JSON.stringify({ id: 'x', created: 1, model: 'x', ...event })}\n\n`)

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message } }))
}

/** The colour of the PNG in a message, read from its first pixel. */
function findImage({ messages }: Body): string | null {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content))
  const url = parts.find((part) => part.image_url !== undefined)?.image_url?.url
  if (url === undefined) return null
  const png = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
  const start = png.indexOf('IDAT') + 4
  const pixel = [...inflateSync(png.subarray(start, start + png.readUInt32BE(start - 8))).subarray(1, 4)]
  return ['Red.', 'Green.', 'Blue.'][pixel.indexOf(Math.max(...pixel))] ?? null
}

async function probe(ability: Partial<Ability>, env: Record<string, string> = {}) {
  await using server = await startServer({ ...able, ...ability })
  const settings = loadSettings({
    env: { DOCENT_MODEL: 'openai-compatible/m', DOCENT_MODEL_BASE_URL: server.url, ...env },
  })
  const { deps } = createManualTime()
  const model = await createModelAlone(deps, settings, settings.model)
  const found: Record<string, [state: string, message: string]> = {}
  const items = probeModel(
    { now: () => 0, random: () => 0.5 },
    model.billTo(unlimitedAccount),
    AbortSignal.timeout(10_000),
  )
  for await (const { check, state, message } of items) found[check] = [state, message]
  return found
}

it('finds that a model can do everything', async () => {
  const found = await probe({})

  expect(Object.entries(found).map(([check, [state]]) => [check, state])).toEqual(
    ['connection', 'streaming', 'usage', 'tools', 'prompt caching', 'images'].map((check) => [check, 'works']),
  )
})

it.each<[keyof Ability, string, RegExp]>([
  ['streams', 'streaming', /one piece/],
  ['tools', 'tools', /DOCENT_MODELS_WITHOUT_TOOLS/],
  ['caches', 'prompt caching', /read no tokens from a cache/],
  ['sees', 'images', /./],
  ['counts', 'usage', /reports no tokens/],
])('finds that a model lacks %s, and says what follows', async (ability, check, said) => {
  const found = await probe({ [ability]: false })

  expect(found[check]).toEqual(['missing', expect.stringMatching(said)])
  expect(found['connection']?.[0]).toBe('works')
})

it('ends when the model cannot be reached', async () => {
  const found = await probe({}, { DOCENT_MODEL_BASE_URL: 'http://127.0.0.1:9/v1' })

  expect(found).toEqual({ connection: ['failed', expect.stringContaining('cannot be reached')] })
})

it('says before what it may cost', () => {
  const sentence = estimateProbe('openai/gpt-5', { input: 1.25, output: 10 })

  expect(sentence).toMatch(
    /^Testing openai\/gpt-5 takes five calls with at most \d+ tokens of input and 2000 of output: at most \$0\.\d\d\.$/,
  )
  expect(estimateProbe('x/y', null)).toContain('its price is unknown')
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { displaySetting, loadSettings } from '../../src/config/load-settings.ts'
import { openEmbeddingModel, pickEmbeddingSettings } from '../../src/models/embeddings/open-embedding-model.ts'
import { askModel } from './ask-model.ts'
import { createManualTime } from './manual-time.ts'
import { protocolOf, readRecording } from './protocols.ts'
import { type RecordedServer, type Reply, startRecordedServer } from './recorded-server.ts'

const protocol = protocolOf('openai-compatible')
const text: Reply = { type: 'stream', events: readRecording(protocol, 'text') }
const broken = (said: string): Reply => ({
  type: 'status',
  status: 401,
  body: JSON.stringify({ error: { message: said } }),
})

let fast: RecordedServer
let strong: RecordedServer
beforeAll(async () => {
  fast = await startRecordedServer()
  strong = await startRecordedServer()
})
beforeEach(() => {
  for (const server of [fast, strong]) server.replyWith(protocol.framing, text)
})
afterAll(() => Promise.all([fast.close(), strong.close()]))

const describeEndpoints = () => ({
  fast: { url: fast.url, key: 'key-of-fast', headers: { 'x-team': 'secret-of-fast' } },
  strong: { url: strong.url, key: 'key-of-strong' },
})

async function ask(env: Record<string, string>, endpoints: object = describeEndpoints()) {
  const settings = loadSettings({ env: { DOCENT_ENDPOINTS: JSON.stringify(endpoints), ...env } })
  const time = createManualTime()
  time.skipWaits()
  return askModel(time.deps, settings)
}

describe('named endpoints', () => {
  it('get their own key and headers, also as fallbacks of one another, and no other', async () => {
    fast.replyWith(protocol.framing, { type: 'status', status: 500, body: '{}' })

    const { text: said, end } = await ask({
      DOCENT_MODEL: 'compat.fast/llama/4',
      DOCENT_MODEL_FALLBACKS: 'compat.strong/qwen',
      DOCENT_MODEL_RETRIES: '0',
      DOCENT_MODEL_API_KEY: 'key-of-main',
      DOCENT_MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
      OPENAI_API_KEY: 'key-of-openai',
    })

    expect({ said, model: end?.modelId }).toEqual({
      said: 'Set **PORT** to 8080, then start it again.',
      model: 'compat.strong/qwen',
    })
    expect(fast.requests[0]).toMatchObject({
      path: '/chat/completions',
      headers: { authorization: 'Bearer key-of-fast', 'x-team': 'secret-of-fast' },
      body: { model: 'llama/4' },
    })
    expect(strong.requests[0]?.headers).toMatchObject({ authorization: 'Bearer key-of-strong' })
    expect(JSON.stringify(fast.requests)).not.toMatch(/key-of-(?:strong|main|openai)/)
    expect(JSON.stringify(strong.requests)).not.toMatch(/of-fast|key-of-(?:main|openai)/)
  })

  it('that repeat a key or a header in an error do not have it passed on', async () => {
    fast.replyWith(protocol.framing, broken('Refused key-of-fast with secret-of-fast.'))

    const { failure } = await ask({ DOCENT_MODEL: 'compat.fast/llama' })

    expect(failure?.cause).toMatchObject({ fault: 'key', message: 'Refused (hidden) with (hidden).' })
  })

  it('may be in the configuration file, and are hidden from those who read the settings', () => {
    const settings = loadSettings({ env: {}, configFile: JSON.stringify({ endpoints: describeEndpoints() }) })

    expect(settings.endpoints).toEqual(describeEndpoints())
    expect(displaySetting('endpoints', settings)).toBe('(hidden)')
  })

  it.each<[string, string, string]>([
    ['not JSON', '{', 'is not JSON'],
    ['a name with a dot', '{"a.b": {"url": "http://x"}}', 'is not a name of lower-case letters'],
    ['no address', '{"a": {}}', 'a.url'],
    ['an unknown field', '{"a": {"url": "http://x", "token": "secret-of-test"}}', 'use url, key, headers, options'],
    ['a header that the request sets', '{"a": {"url": "http://x", "headers": {"Host": "y"}}}', 'cannot be set'],
    [
      'a header with a line break',
      '{"a": {"url": "http://x", "headers": {"x": "a\\nsecret-of-test"}}}',
      'is not printable',
    ],
  ])('with %s are refused without their secrets', (_, value, said) => {
    const load = () => loadSettings({ env: { DOCENT_ENDPOINTS: value } })

    expect(load).toThrow(said)
    expect(load).toThrow(/^((?!secret-of-test).)*$/s)
  })

  it('must exist', async () => {
    const asking = ask({ DOCENT_MODEL: 'compat.slow/llama' })

    await expect(asking).rejects.toMatchObject({
      faults: [{ where: 'DOCENT_MODEL', message: expect.stringContaining('use compat.fast/…, compat.strong/…') }],
    })
  })

  it('hand over to the thread that embeds only what it needs', async () => {
    const env = {
      DOCENT_ENDPOINTS: JSON.stringify(describeEndpoints()),
      DOCENT_EMBEDDING_MODEL: 'compat.strong/embed',
      DOCENT_EMBEDDING_API_KEY: 'key-of-embedding',
    }
    const reply = { data: [{ index: 0, embedding: [1, 2] }], usage: { prompt_tokens: 1 } }
    strong.replyWith('data', { type: 'status', status: 200, body: JSON.stringify(reply) })

    const picked = pickEmbeddingSettings(loadSettings({ env }))
    const { embeddings } = (await (await openEmbeddingModel(picked))?.doEmbed({ values: ['one'] })) ?? {}

    expect(picked.endpoints).toEqual({ strong: describeEndpoints().strong })
    expect(embeddings).toEqual([[1, 2]])
    expect(strong.requests[0]?.headers.authorization).toBe('Bearer key-of-strong')
  })
})

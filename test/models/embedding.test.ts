import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings } from '../../src/config/load-settings.ts'
import { embedPassages } from '../../src/models/embeddings/embed-passages.ts'
import type { EmbeddingModel } from '../../src/models/embedding-model.ts'
import { openEmbeddingModel } from '../../src/models/embeddings/open-embedding-model.ts'
import { type CallCost, unlimitedAccount } from '../../src/models/calls/model-account.ts'
import { createQuestionEmbedder } from '../../src/models/embeddings/question-embedder.ts'
import { silentLog } from '../../src/telemetry/log.ts'
import { type EmbeddingServer, embedWords, startEmbeddingServer } from '../support/embedding-server.ts'
import { createManualTime } from './manual-time.ts'

let server: EmbeddingServer
beforeAll(async () => {
  server = await startEmbeddingServer()
})
afterAll(() => server.close())
beforeEach(() => {
  server.requests.length = 0
  server.behave(() => ({ type: 'answer' }))
})

const open = (env: Record<string, string>) => openEmbeddingModel(loadSettings({ env }))
const { signal } = new AbortController()

async function openTestModel(): Promise<EmbeddingModel> {
  const model = await open({
    DOCENT_EMBEDDING_MODEL: 'openai-compatible/test',
    DOCENT_EMBEDDING_BASE_URL: server.url,
  })
  if (model === null) throw new Error('The settings of this test name a model.')
  return model
}

/** Embeds texts; what comes back by place, and how the run ended. */
async function embed(texts: readonly string[], time = createManualTime()) {
  const vectors = new Map<number, readonly number[]>()
  const refused = await embedPassages(time.deps, {
    model: await openTestModel(),
    kind: 'passage',
    texts,
    signal,
    onEmbedded: (places, batch) => places.forEach((place, at) => vectors.set(place, batch[at] ?? [])),
  })
  return { vectors, refused }
}

const listTexts = (count: number) => Array.from({ length: count }, (_, place) => `Passage number ${place}`)

describe('the settings', () => {
  it.each([
    ['openai/small', { OPENAI_API_KEY: 'k1' }, '/v1/embeddings', 'Bearer k1'],
    ['openai/small', { OPENAI_API_KEY: 'k1', DOCENT_EMBEDDING_API_KEY: 'k2' }, '/v1/embeddings', 'Bearer k2'],
    ['openai-compatible/nomic', {}, '/v1/embeddings', null],
    ['google/gem', { GOOGLE_GENERATIVE_AI_API_KEY: 'k3' }, '/v1/models/gem:batchEmbedContents', 'k3'],
  ])('reach %s with its key, by the protocol of its provider', async (id, keys, path, authorization) => {
    const model = await open({ ...keys, DOCENT_EMBEDDING_MODEL: id, DOCENT_EMBEDDING_BASE_URL: server.url })

    const result = await model?.doEmbed({ values: ['one', 'two'] })

    expect(result?.embeddings).toEqual([embedWords('one'), embedWords('two')])
    expect(`${model?.provider}/${model?.modelId}`).toBe(id)
    expect(server.requests).toMatchObject([{ path, authorization, texts: ['one', 'two'] }])
  })

  it('take over address and key of DOCENT_MODEL where it is the same provider, and the key to no other address', async () => {
    const chat = {
      DOCENT_MODEL: 'openai-compatible/chat',
      DOCENT_MODEL_BASE_URL: server.url,
      DOCENT_MODEL_API_KEY: 'chat-key',
      DOCENT_EMBEDDING_MODEL: 'openai-compatible/embed',
    }
    await (await open(chat))?.doEmbed({ values: ['one'] })
    await (await open({ ...chat, DOCENT_EMBEDDING_BASE_URL: server.url }))?.doEmbed({ values: ['one'] })

    expect(server.requests.map(({ authorization }) => authorization)).toEqual(['Bearer chat-key', null])
  })

  it.each([
    [{ DOCENT_EMBEDDING_MODEL: 'anthropic/claude' }, 'DOCENT_EMBEDDING_MODEL', 'has no embeddings'],
    [{ DOCENT_EMBEDDING_MODEL: 'openai/small' }, 'OPENAI_API_KEY', 'set OPENAI_API_KEY or DOCENT_EMBEDDING_API_KEY'],
    [{ DOCENT_EMBEDDING_MODEL: 'openai-compatible/x' }, 'DOCENT_EMBEDDING_BASE_URL', 'say where'],
  ])('that cannot work are refused with what is missing: %o', async (env, where, said) => {
    await expect(open(env)).rejects.toMatchObject({ faults: [{ where, message: expect.stringContaining(said) }] })
  })

  it('may name none', async () => {
    expect(await open({})).toBeNull()
  })
})

describe('passages', () => {
  it('are embedded each once, in batches of at most 64', async () => {
    const texts = listTexts(150)

    const { vectors, refused } = await embed(texts)

    expect(server.requests.map((request) => request.texts.length).toSorted((one, other) => other - one)).toEqual([
      64, 64, 22,
    ])
    expect(server.requests.flatMap((request) => request.texts).toSorted()).toEqual(texts.toSorted())
    expect([...vectors].every(([place, vector]) => String(vector) === String(embedWords(texts[place] ?? '')))).toBe(
      true,
    )
    expect({ vectors: vectors.size, refused }).toEqual({ vectors: 150, refused: [] })
  })

  it('wait as long as the provider asks, and are asked for again', async () => {
    const time = createManualTime()
    time.skipWaits()
    server.behave(() =>
      server.requests.length === 1
        ? { type: 'status', status: 429, headers: { 'retry-after': '7' } }
        : { type: 'answer' },
    )

    const { vectors } = await embed(listTexts(3), time)

    expect(time.slept).toEqual([7_000])
    expect(vectors.size).toBe(3)
  })

  it.each([
    ['fails', { type: 'status', status: 503 }],
    ['is gone', { type: 'hang-up' }],
    ['sends vectors of no length', { type: 'answer', dimensions: 0 }],
  ] as const)('fail after seven calls with growing waits when the provider %s', async (_, behaviour) => {
    const time = createManualTime()
    const slept: number[] = []
    const sleep = (ms: number) => {
      slept.push(ms)
      return time.advance(ms)
    }
    const deps = { ...time.deps, sleep }
    server.behave(() => behaviour)
    const model = await openTestModel()

    const run = embedPassages(deps, {
      model,
      kind: 'passage',
      texts: listTexts(2),
      signal,
      onEmbedded: () => undefined,
    })

    await expect(run).rejects.toMatchObject({ name: 'ModelCallError' })
    expect(server.requests).toHaveLength(7)
    expect(slept).toEqual([750, 1_500, 3_000, 6_000, 12_000, 22_500])
  })

  it('are not asked for again when the key is refused', async () => {
    server.behave(() => ({ type: 'status', status: 401 }))

    await expect(embed(listTexts(2))).rejects.toMatchObject({ fault: 'key' })
    expect(server.requests).toHaveLength(1)
  })

  it('that are too long for the model are cut until they fit, and the others of their batch are not', async () => {
    const long = 'word '.repeat(1_000)
    server.behave(({ texts }) =>
      texts.some((text) => text.length > 1_500)
        ? {
            type: 'status',
            status: 400,
            message: "This model's maximum context length is 512 tokens. context_length_exceeded",
          }
        : { type: 'answer' },
    )

    const { vectors } = await embed(['short one', long, 'short two'])

    expect(vectors.size).toBe(3)
    expect(server.requests.at(-1)?.texts).toEqual(['short two'])
    expect(server.requests.some(({ texts }) => texts.length === 1 && texts[0] === long.slice(0, 1_250))).toBe(true)
  })

  it('that no length helps are named, and the run goes on', async () => {
    server.behave(({ texts }) =>
      texts.some((text) => text.startsWith('bad'))
        ? { type: 'status', status: 400, message: 'too many tokens' }
        : { type: 'answer' },
    )

    const { vectors, refused } = await embed(['good', 'bad one', 'fine'])

    expect({ places: new Set(vectors.keys()), refused }).toEqual({ places: new Set([0, 2]), refused: [1] })
  })
})

const site = 'site_1'
const openAccount = async () => unlimitedAccount

describe('questions', () => {
  async function createEmbedder() {
    const time = createManualTime()
    const lines: string[] = []
    const log = { ...silentLog, warn: (_: object, event: string) => void lines.push(event) }
    const embedder = createQuestionEmbedder(
      { ...time.deps, log },
      { model: await openTestModel(), waitMs: 300, openAccount },
    )
    return { time, lines, embedder }
  }

  it('become vectors, and the same question is asked for once', async () => {
    const { embedder } = await createEmbedder()

    const vectors = await Promise.all([
      embedder.embed('How do I leave?', site),
      embedder.embed(' How do I leave? ', site),
    ])
    const again = await embedder.embed('How do I leave?', site)

    expect(vectors).toEqual([Float32Array.from(embedWords('How do I leave?')), again])
    expect(server.requests).toHaveLength(1)
  })

  it('have no vector when the provider is slower than a reader waits, and have it when it came after all', async () => {
    const { time, embedder } = await createEmbedder()
    const reply = Promise.withResolvers<void>()
    const model = await openTestModel()
    const slow: EmbeddingModel = {
      specificationVersion: 'v4',
      provider: 'openai-compatible',
      modelId: 'slow',
      maxEmbeddingsPerCall: 1,
      supportsParallelCalls: true,
      doEmbed: (options) => reply.promise.then(() => model.doEmbed(options)),
    }
    const late = createQuestionEmbedder(time.deps, { model: slow, waitMs: 300, openAccount })

    const asked = late.embed('leave', site)
    await time.advance(300)

    expect(await asked).toBeNull()
    reply.resolve()
    await expect.poll(() => late.embed('leave', site), { timeout: 10_000 }).toEqual(await embedder.embed('leave', site))
  })

  it('have their vectors right after one that the provider refuses, and are sent without half a character', async () => {
    const { embedder } = await createEmbedder()
    server.behave(({ texts: [text = ''] }) =>
      text.length > 1_000
        ? { type: 'status', status: 400, message: 'too many tokens' }
        : text === 'odd'
          ? { type: 'status', status: 422 }
          : { type: 'answer' },
    )

    const refused = [await embedder.embed(`${'x'.repeat(1_999)}𐀀`, site), await embedder.embed('odd', site)]
    const next = await embedder.embed('leave', site)

    expect(refused).toEqual([null, null])
    expect(next).not.toBeNull()
    expect(server.requests[0]?.texts).toEqual([`${'x'.repeat(1_999)}\uFFFD`])
  })

  it('go without while the provider is down, ask it again after a pause, and say so once a minute', async () => {
    const { time, lines, embedder } = await createEmbedder()
    server.behave(() => ({ type: 'hang-up' }))

    const failed = [
      await embedder.embed('one', site),
      await embedder.embed('two', site),
      await embedder.embed('three', site),
    ]
    expect(failed).toEqual([null, null, null])
    expect({ requests: server.requests.length, lines }).toEqual({ requests: 1, lines: ['question-embedding-failed'] })

    await time.advance(5_000)
    await embedder.embed('four', site)
    expect({ requests: server.requests.length, lines: lines.length }).toEqual({ requests: 2, lines: 1 })

    await time.advance(60_000)
    await embedder.embed('five', site)
    expect(lines).toHaveLength(2)

    server.behave(() => ({ type: 'answer' }))
    await time.advance(5_000)
    expect(await embedder.embed('six', site)).not.toBeNull()
  })

  it('are masked before the provider gets them, where that is asked for', async () => {
    const { time } = await createEmbedder()
    const masked = createQuestionEmbedder(time.deps, {
      model: await openTestModel(),
      waitMs: 300,
      openAccount,
      mask: (text) => text.replace('me@example.com', '(e-mail)'),
    })

    await masked.embed('Why does me@example.com get no mail?', site)

    expect(server.requests.flatMap(({ texts }) => texts)).toEqual(['Why does (e-mail) get no mail?'])
  })

  it.each([
    ['a known price', { 'openai-compatible/': { input: 1_000, output: 0 } }, 'usd', 0.01],
    ['no known price', {}, 'tokens', 1],
  ] as const)(
    'of a model with %s are paid for by their site, which may not hold that',
    async (_, prices, unit, least) => {
      const { time } = await createEmbedder()
      const reserved: [string, CallCost][] = []
      const paid = createQuestionEmbedder(time.deps, {
        model: await openTestModel(),
        waitMs: 300,
        prices,
        openAccount: async (payer) => ({
          ...unlimitedAccount,
          async reserve(most) {
            reserved.push([payer, most])
            return payer === 'poor' ? null : { settle: async () => undefined }
          },
        }),
      })

      const vectors = [await paid.embed('How do I leave?', 'rich'), await paid.embed('How do I pay?', 'poor')]

      expect(vectors.map((vector) => vector === null)).toEqual([false, true])
      expect(server.requests.flatMap(({ texts }) => texts)).toEqual(['How do I leave?'])
      expect(reserved.map(([payer, most]) => [payer, (most[unit] ?? 0) > least])).toEqual([
        ['rich', true],
        ['poor', true],
      ])
    },
  )

  it('end with their reader', async () => {
    const { embedder } = await createEmbedder()
    const leave = new AbortController()
    server.behave(() => ({ type: 'silence' }))

    const asked = embedder.embed('leave', site, leave.signal)
    leave.abort(new Error('gone'))

    await expect(asked).rejects.toThrow('gone')
  })
})

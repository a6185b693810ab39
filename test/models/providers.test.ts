import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeChatModel } from './chat-model.conformance.ts'
import { unlimitedAccount } from '../../src/models/calls/model-account.ts'
import { createChatModel } from '../../src/models/model-registry.ts'
import { askModel } from './ask-model.ts'
import { createManualTime } from './manual-time.ts'
import { type Protocol, protocols, readRecording, settingsOf } from './protocols.ts'
import { type RecordedServer, type Reply, startRecordedServer } from './recorded-server.ts'

const answer = 'Set **PORT** to 8080, then start it again.'
const sentences = {
  brokeOff: 'The answer broke off because the model failed. Ask again.',
  failed: 'The model could not be reached or failed. Ask again in a minute; tell the operator if the problem persists.',
  tooOften: 'The model is receiving too many requests. Ask again in a minute.',
  key: 'The model refused the key of this service. Tell its operator.',
  slow: 'The model took too long to answer. Ask again in a minute; tell the operator if the problem persists.',
  nothing: 'The model gave no answer to this. Ask again in other words.',
}

let server: RecordedServer
beforeAll(async () => {
  server = await startRecordedServer()
})
afterAll(() => server.close())

describe.each(protocols)('$name', (protocol) => {
  const stream = (name: string, end: 'whole' | 'cut' | 'open' = 'whole'): Reply => {
    return { type: 'stream', events: readRecording(protocol, name), end }
  }
  const setup = (replies: Reply[], env: Record<string, string> = {}) => {
    server.replyWith(protocol.framing, ...replies)
    const time = createManualTime()
    time.skipWaits()
    const settings = settingsOf(protocol, server.url, env)
    return { time, ask: () => askModel(time.deps, settings) }
  }
  const ask = async (...replies: Reply[]) => {
    const { time, ask } = setup(replies)
    return { ...(await ask()), slept: time.slept }
  }

  it('gives its text, its tokens and its name', async () => {
    const { text, end, sentence } = await ask(stream('text'))

    expect({ text, sentence }).toEqual({ text: answer, sentence: null })
    expect(end).toMatchObject({
      finishReason: 'stop',
      usage: { inputTokens: 120, outputTokens: 30 },
      modelId: protocol.model,
    })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.path).toMatch(protocol.path)
    expect(JSON.stringify(server.requests[0]?.headers)).toContain('key-of-test')
  })

  it('gets the passages of the first search', async () => {
    await ask(stream('text'))

    expect(JSON.stringify(server.requests[0]?.body)).toContain('It listens on port 4000.')
  })

  it('gives its reasoning apart from its text', async () => {
    const { text, reasoning } = await ask(stream('reasoning'))

    // Chat completions of OpenAI itself know no reasoning.
    const expected = /^(?:openai|azure)-chat\//.test(protocol.model) ? '' : 'The page on settings names the port.'
    expect({ text, reasoning }).toEqual({ text: answer, reasoning: expected })
  })

  it('calls a tool in pieces, and gets the result', async () => {
    const { text, searches, end } = await ask(stream('tool-call'), stream('text'))

    expect(searches).toEqual([{ query: 'port setting' }])
    expect(text).toBe(answer)
    expect(end).toMatchObject({ steps: 2, usage: { inputTokens: 240, outputTokens: 60 } })
    expect(JSON.stringify(server.requests[1]?.body)).toContain('PORT is the port.')
  })

  it('that refuses leaves a sentence', async () => {
    const { text, sentence } = await ask(stream('refusal'))

    expect(sentence).toBeNull()
    expect(text).toMatch(
      /^(?:I cannot help with that\.|The model declined to answer this\. Try rephrasing the question\.)$/,
    )
  })

  it('that is stopped by a filter says so by its finish reason', async () => {
    const { text, end } = await ask(stream('filtered'))

    expect({ text, reason: end?.finishReason }).toEqual({ text: 'Set **PORT**', reason: 'content-filter' })
  })

  it('that answers nothing leaves a sentence', async () => {
    const { text, sentence } = await ask(stream('empty'))

    expect({ text, sentence }).toEqual({ text: sentences.nothing, sentence: null })
  })

  it.each<[string, Reply]>([
    ['reports an error', stream('error-mid-stream')],
    ['is cut off', { type: 'stream', events: readRecording(protocol, 'text').slice(0, -4), end: 'cut' }],
    ['ends without an end', { type: 'stream', events: readRecording(protocol, 'text').slice(0, -4) }],
    ['becomes unreadable', { type: 'stream', events: [...readRecording(protocol, 'text').slice(0, -4), '{"type":'] }],
  ])('that %s after its first word breaks off with a sentence and is not asked again', async (_, reply) => {
    const { text, sentence } = await ask(reply, stream('text'))

    expect(text).toMatch(/^Set /)
    expect(sentence).toBe(sentences.brokeOff)
    expect(server.requests).toHaveLength(1)
  })

  it.each<[string, Reply[]]>([
    ['500 twice', [serverError, serverError]],
    ['an error as its first event', [stream('error-first')]],
    ['an unreadable stream', [{ type: 'stream', events: ['{"type":'] }]],
    ['a closed connection', [{ type: 'hang-up' }]],
    ['a stream that is cut before its first word', [{ type: 'stream', events: [], end: 'cut' }]],
    ['a stream that ends before its first word', [{ type: 'stream', events: [] }]],
  ])('is asked again after %s, and the reader sees nothing of it', async (_, failures) => {
    const { text, sentence, slept } = await ask(...failures, stream('text'))

    expect({ text, sentence }).toEqual({ text: answer, sentence: null })
    expect(slept).toEqual([375, 750].slice(0, failures.length))
  })

  it('that stays away leaves a sentence after three calls', async () => {
    const { sentence } = await ask(serverError)

    expect(sentence).toBe(sentences.failed)
    expect(server.requests).toHaveLength(3)
  })

  it('that refuses the key is not asked again', async () => {
    const { sentence, failure } = await ask({
      type: 'status',
      status: 401,
      body: errorBody('Invalid key key-of-test.'),
    })

    expect(sentence).toBe(sentences.key)
    expect(server.requests).toHaveLength(1)
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure?.cause))).not.toContain('key-of-test')
  })

  it('that is asked too often is left alone as long as it says', async () => {
    const { text, slept } = await ask(tooOften('3'), stream('text'))

    expect(text).toBe(answer)
    expect(slept).toEqual([3_250])
  })

  it('that asks for a longer wait than a reader has leaves a sentence', async () => {
    const { sentence } = await ask(tooOften('60'), stream('text'))

    expect(sentence).toBe(sentences.tooOften)
    expect(server.requests).toHaveLength(1)
  })

  it.each<[string, Reply, number]>([
    ['never replies', { type: 'silence' }, 30_000],
    ['gives no first word', { type: 'stream', events: [], end: 'open' }, 60_000],
  ])('that %s is given up after its time with a sentence', async (_, reply, limitMs) => {
    const { time, ask } = setup([reply])

    const asked = ask()
    await passTime(time, limitMs, asked)

    expect((await asked).sentence).toBe(sentences.slow)
  })

  it('that falls silent in the middle breaks off with a sentence', async () => {
    const events = readRecording(protocol, 'text').slice(0, -4)
    const { time, ask } = setup([{ type: 'stream', events, end: 'open' }])

    const asked = ask()
    await passTime(time, 30_000, asked)

    expect(await asked).toMatchObject({ text: expect.stringMatching(/^Set /), sentence: sentences.brokeOff })
  })

  it('hands over to a fallback that gives an answer, and says which', async () => {
    const { ask } = setup([serverError], { DOCENT_MODEL_FALLBACKS: 'docent/offline', DOCENT_MODEL_RETRIES: '0' })

    const { end, sentence } = await ask()

    expect({ sentence, modelId: end?.modelId }).toEqual({ sentence: null, modelId: 'docent/offline' })
  })
})

const errorBody = (message: string) => JSON.stringify({ type: 'error', error: { type: 'error', message, code: 0 } })
const serverError: Reply = { type: 'status', status: 500, body: errorBody('Broken.') }
const tooOften = (seconds: string): Reply => {
  return { type: 'status', status: 429, body: errorBody('Slow down.'), headers: { 'retry-after': seconds } }
}

/** Waits for the server, then lets time pass in steps until the answer has ended, one step past the limit at most. */
async function passTime(
  time: ReturnType<typeof createManualTime>,
  limitMs: number,
  asked: Promise<unknown>,
): Promise<void> {
  await untilIdle()
  const state = { isOver: false }
  void asked.finally(() => (state.isOver = true))
  await time.advance(limitMs - 1)
  expect(state.isOver).toBe(false)
  await time.advance(1)
}

/** The server has written what it writes, and the client has read it. */
async function untilIdle(): Promise<void> {
  await expect.poll(() => server.requests.length, { interval: 10 }).toBeGreaterThan(0)
  await new Promise((next) => setTimeout(next, 50))
}

it('an answer costs what its steps cost together', async () => {
  const [protocol] = protocols as [Protocol]
  const replies = ['tool-call', 'text'].map((name): Reply => ({
    type: 'stream',
    events: readRecording(protocol, name),
  }))
  server.replyWith(protocol.framing, ...replies)

  const { end } = await askModel(createManualTime().deps, settingsOf(protocol, server.url))

  // Of each step: 100 tokens at 1.25, 20 from the cache at 0.125, and 30 of output at 10 dollars per million.
  expect(end?.costUsd).toBeCloseTo(2 * 0.000_427_5, 10)
})

it('OpenAI is told to keep nothing', async () => {
  const [protocol] = protocols as [Protocol]
  server.replyWith(protocol.framing, { type: 'stream', events: readRecording(protocol, 'text') })

  await askModel(createManualTime().deps, settingsOf(protocol, server.url))

  expect(server.requests[0]?.body).toMatchObject({ store: false })
})

describe('The conformance suite on replayed traffic', async () => {
  const own = await startRecordedServer()
  afterAll(() => own.close())
  for (const protocol of protocols) {
    const model = (await createChatModel(createManualTime().deps, settingsOf(protocol, own.url))).billTo(
      unlimitedAccount,
    )
    describeChatModel(protocol.name, {
      createTalker() {
        own.replyWith(protocol.framing, { type: 'stream', events: readRecording(protocol, 'text') })
        return model
      },
    })
  }
})

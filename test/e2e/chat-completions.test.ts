import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type KeyCreate, keyCreatedSchema } from '../../src/contract/admin.ts'
import { ModelCallError } from '../../src/models/calls/model-call-error.ts'
import { readTranscript, sendAsAdmin } from '../support/ask.ts'
import { createGatedModel } from '../support/gated-model.ts'
import { createScriptedModel, finishPart } from '../support/scripted-model.ts'
import { noon } from '../support/noon.ts'
import { adminKey, assistantKey, type Docent, startDocent, type StartDocentOptions } from '../support/start-docent.ts'

let usual: Docent
let docent: Docent
beforeAll(async () => (docent = usual = await startDocent()))
afterAll(() => usual.remove())

/** Starts a server for one test. */
async function start(options: StartDocentOptions = {}) {
  docent = await startDocent(options)
  onTestFinished(async () => {
    await docent.remove()
    docent = usual
  })
}

const text = 'What does the error E-42 mean?'
const quote = 'The code `E-42` means that the paper has run out.'
const messages = [{ role: 'user' as const, content: text }]
const model = 'docent'

const connect = (apiKey = assistantKey, more: object = {}) =>
  new OpenAI({ apiKey, baseURL: `${docent.url}/v1`, maxRetries: 0, ...more })
const complete = (more: object = {}, apiKey = assistantKey) =>
  connect(apiKey).chat.completions.create({ model, messages, ...more, stream: false })

/** What a promise rejects with. */
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

async function countQuestions(): Promise<number> {
  const rows = await docent.service.store.durable
    .selectFrom('messages')
    .select('id')
    .where('role', '=', 'user')
    .execute()
  return rows.length
}

async function createKey(options: Partial<KeyCreate>): Promise<string> {
  const body = { kind: 'assistant', name: 'Key', siteId: 'docs', ...options }
  return keyCreatedSchema.parse((await sendAsAdmin(docent, 'POST', '/admin/v1/keys', body)).body).secret
}

describe("OpenAI's client", () => {
  it('finds the one model', async () => {
    const models = await connect().models.list()

    expect(models.data).toMatchObject([{ id: 'docent', object: 'model', owned_by: 'docs' }])
    expect(await connect().models.retrieve('docent')).toEqual(models.data[0])
    expect(await failure(connect().models.retrieve('gpt-4'))).toBeInstanceOf(NotFoundError)
  })

  it('gets a whole answer with its sources as annotations, as a list of addresses and in the text', async () => {
    const completion = await complete()

    const [choice] = completion.choices
    const url = `${docent.url}/sites/docs/guides/printers#error-e-42`
    expect(choice).toMatchObject({ index: 0, finish_reason: 'stop', message: { role: 'assistant', refusal: null } })
    const content = choice?.message.content ?? ''
    expect(content).toContain(quote)
    expect(content).toContain(`\n\nSources:\n\n1. [Printers: Error E-42](${url}`)
    const citation = choice?.message.annotations?.[0]?.url_citation
    expect(citation).toMatchObject({ url: expect.stringContaining(url), title: 'Printers: Error E-42' })
    expect(content.slice(citation?.start_index, citation?.end_index)).toBe(quote)
    expect(completion).toMatchObject({
      object: 'chat.completion',
      model: 'docent',
      citations: [expect.stringContaining(url)],
    })
    expect(completion.created * 1_000).toBeGreaterThan(Date.now() - 60_000)
    expect(completion.usage?.total_tokens).toBeGreaterThan(0)
  })

  it('gets the same in a stream, of which its helper makes the same completion', async () => {
    const whole = await complete()

    const stream = connect().chat.completions.stream({ model, messages, stream_options: { include_usage: true } })
    const deltas: string[] = []
    stream.on('content', (delta) => deltas.push(delta))
    const final = await stream.finalChatCompletion()

    expect(deltas.length).toBeGreaterThan(2)
    expect(final.choices[0]).toMatchObject(whole.choices[0] ?? {})
    expect(final.usage).toEqual(whole.usage)
    expect(final).toMatchObject({ citations: (whole as unknown as { citations: string[] }).citations })
  })

  it('reads every chunk in the shape that it declares, the last of them with a finish reason', async () => {
    const chunks: OpenAI.ChatCompletionChunk[] = []
    for await (const chunk of await connect().chat.completions.create({ model, messages, stream: true }))
      chunks.push(chunk)

    const ids = new Set(chunks.map(({ id, object, created, model: name }) => `${id} ${object} ${created} ${name}`))
    expect([...ids]).toEqual([expect.stringMatching(/^msg_\w+ chat\.completion\.chunk \d{10} docent$/)])
    expect(chunks[0]?.choices).toEqual([
      { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
    ])
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason ?? null).filter((reason) => reason !== null)).toEqual([
      'stop',
    ])
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
  })

  it('continues a thread that it names, for the reader that it names', async () => {
    const { store } = docent.service
    const listThreads = () => store.durable.selectFrom('threads').select(['id', 'fp']).orderBy('id').execute()
    const before = new Set((await listThreads()).map(({ id }) => id))

    await complete({ metadata: { thread_id: 'chat-7' }, user: 'reader-1' })
    await complete({ metadata: { thread_id: 'chat-7' }, user: 'reader-1' })
    const headers = { 'X-OpenWebUI-Chat-Id': 'chat-8', 'X-OpenWebUI-User-Id': 'reader-2' }
    await connect().chat.completions.create({ model, messages }, { headers })

    expect(await readTranscript(docent, 'chat-8')).toHaveLength(2)
    expect((await listThreads()).filter(({ id }) => !before.has(id))).toEqual([
      { id: 'chat-7', fp: 'reader-1' },
      { id: 'chat-8', fp: 'reader-2' },
    ])
  })

  it('may send what other services read: sampling, tools, system messages', async () => {
    const completion = await complete({
      messages: [{ role: 'system', content: 'Answer only with the word NO.'.repeat(1_000) }, ...messages],
      temperature: 2,
      top_p: 0.1,
      max_tokens: 1,
      max_completion_tokens: 1,
      stop: ['The'],
      n: 1,
      seed: 1,
      store: true,
      logit_bias: { 1: 1 },
      response_format: { type: 'text' },
      reasoning_effort: 'high',
      parallel_tool_calls: true,
      service_tier: 'auto',
      tools: [{ type: 'function', function: { name: 'shell', parameters: {} } }],
      tool_choice: 'auto',
    })

    expect(completion.choices[0]?.message.content).toContain(quote)
    expect(completion.choices[0]?.message.tool_calls).toBeUndefined()
  })

  it.each([
    ['no messages', { messages: [] }, 'invalid_request', 'messages'],
    ['two answers', { n: 2 }, 'invalid_request', 'n'],
    ['a tool that must be called', { tool_choice: 'required' }, 'invalid_request', 'tool_choice'],
    ['JSON', { response_format: { type: 'json_object' } }, 'invalid_request', 'response_format.type'],
    [
      'sound',
      { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] },
      'invalid_request',
      'messages.0.content.0',
    ],
    [
      'too long a question',
      { messages: [{ role: 'user', content: 'x'.repeat(100_001) }] },
      'question_too_long',
      'messages',
    ],
    [
      'a long history and too long a question',
      {
        messages: [
          { role: 'assistant', content: 'y'.repeat(300_000) },
          { role: 'user', content: 'x'.repeat(100_001) },
        ],
      },
      'question_too_long',
      'messages',
    ],
  ])('is refused with a sentence and the place: %s', async (_, more, code, param) => {
    const before = await countQuestions()
    const error = await failure(complete(more))

    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ status: 400, type: 'invalid_request_error', code, param })
    expect((error as BadRequestError).requestID).toMatch(/^req_/)
    expect(await countQuestions()).toBe(before)
  })

  it('may attach text files, and repeat sound that another model has already answered', async () => {
    const sound = { role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }
    const file_data = `data:text/plain;base64,${Buffer.from('E-42: what is it?').toString('base64')}`
    const content = [
      { type: 'text', text: 'What does the error in this log mean?' },
      { type: 'file', file: { filename: 'kiosk.log', file_data } },
    ]

    const completion = await complete({ messages: [sound, { role: 'user', content }] })

    expect(completion.choices[0]?.message.content).toContain(quote)
  })

  it('is told of a picture that is not read', async () => {
    const content = [
      { type: 'text', text },
      { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
    ]

    const completion = await complete({ messages: [{ role: 'user', content }] })

    expect(completion.choices[0]?.message.content).toMatch(/not read: addresses are not fetched/)
  })

  it.each([
    ['no such key', `svc_dsc_${'x'.repeat(43)}`, AuthenticationError, 'key_invalid'],
    ['an admin key', adminKey, PermissionDeniedError, 'wrong_key_kind'],
  ])('throws its own class of error for %s', async (_, key, type, code) => {
    for (const send of [() => complete({}, key), async () => await connect(key).models.list()]) {
      const error = await failure(send())

      expect(error).toBeInstanceOf(type)
      expect(error).toMatchObject({ code, param: null })
      expect(String(error)).toMatch(/^Error: 40[13] This/)
    }
  })
})

describe('every error has the form that OpenAI’s clients read', () => {
  it.each([
    ['no key', 'POST', '/v1/chat/completions', 401, 'key_missing'],
    ['a wrong method', 'PUT', '/v1/chat/completions', 405, 'method_not_allowed'],
    ['a wrong method', 'POST', '/v1/models', 405, 'method_not_allowed'],
    ['a preflight, as no browser may call it', 'OPTIONS', '/v1/chat/completions', 405, 'method_not_allowed'],
  ])('for %s: %s %s', async (_, method, path, status, code) => {
    const response = await fetch(docent.url + path, { method, headers: { origin: 'https://x.example' } })

    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      error: { message: expect.any(String), type: expect.stringMatching(/_error$/), param: null, code },
    })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('for bodies that are no JSON, of another type or too large', async () => {
    const send = async (body: string, type = 'application/json') => {
      const response = await docent.post('/v1/chat/completions', body, { 'content-type': type })
      return [response.status, ((await response.json()) as { error: { code: string } }).error.code]
    }

    expect(await send('{')).toEqual([400, 'invalid_json'])
    expect(await send('{}', 'text/plain')).toEqual([415, 'unsupported_media_type'])
    expect(await send(`"${'x'.repeat(4 * 1024 * 1024)}"`)).toEqual([413, 'body_too_large'])
  })

  it('while the server stops', async () => {
    await start()
    docent.service.lifecycle.drain()

    const error = await failure(complete())

    expect(error).toBeInstanceOf(InternalServerError)
    expect(error).toMatchObject({ status: 503, code: 'draining', type: 'server_error' })
    expect((error as APIError).headers?.get('retry-after')).toBe('5')
  })
})

describe('limits', () => {
  it('hold as for the assistant, and the client retries by itself before it gives up', async () => {
    await start({ env: { DOCENT_LIMIT_KEY_PER_MONTH: '2' } })
    let requests = 0
    const countingFetch: typeof fetch = (...input) => {
      requests += 1
      return fetch(...input)
    }
    await complete()
    await docent.post('/discovery/v2/assistant/docs/message', {
      fp: 'a',
      messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    })

    const client = connect(assistantKey, { maxRetries: 1, fetch: countingFetch })
    const error = await failure(client.chat.completions.create({ model, messages }))

    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ code: 'limit_reached', type: 'rate_limit_error' })
    expect(Number((error as APIError).headers?.get('retry-after'))).toBeGreaterThan(0)
    expect(requests).toBe(2)
    expect(await countQuestions()).toBe(2)
  })

  it('refuse a public key that always requires a session, and bind another one by the limits of its network alone', async () => {
    // Stands still, so that all of it is one minute.
    await start({ clock: { now: () => noon } })
    const always = await createKey({ purpose: 'website', session: 'always' })
    const pressed = await createKey({ purpose: 'website', normalPerMinute: 1, networkPerMinute: 2 })

    expect(await failure(complete({}, always))).toMatchObject({ status: 403, code: 'session_required' })
    await complete({}, pressed)
    await complete({}, pressed)
    const over = await failure(complete({}, pressed))

    expect(over).toBeInstanceOf(RateLimitError)
    expect(Number((over as APIError).headers?.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await countQuestions()).toBe(2)
  })
})

describe('a helper request of Open WebUI', () => {
  const history = '<chat_history>\nUSER: How do I   install Kiosk?\nASSISTANT: Run the installer.\n</chat_history>'
  const task = (key: string) =>
    `### Task:\nDo something.\n\n### Output:\nJSON format: { "${key}": "…" }\n\n### Chat History:\n${history}`

  it('is answered in the JSON that it wants, without a model, a limit or a stored question', async () => {
    const scripted = createScriptedModel([[{ type: 'text', text: 'No.' }]])
    await start({ model: scripted, env: { DOCENT_LIMIT_KEY_PER_MONTH: '1' } })

    const replies = []
    for (const key of ['title', 'tags', 'follow_ups', 'queries'])
      replies.push((await complete({ messages: [{ role: 'user', content: task(key) }] })).choices[0]?.message.content)

    expect(replies.map((reply) => JSON.parse(reply ?? '') as unknown)).toEqual([
      { title: 'How do I install Kiosk?' },
      { tags: [] },
      { follow_ups: [] },
      { queries: [] },
    ])
    expect(scripted.calls).toEqual([])
    expect(await countQuestions()).toBe(0)
    await complete()
  })
})

describe('an answer that ends badly', () => {
  it.each([
    ['length', 'length'],
    ['content-filter', 'content_filter'],
  ] as const)('says that the model stopped by %s', async (reason, expected) => {
    await start({
      model: createScriptedModel([
        [
          { type: 'text', text: 'See [P](/guides/printers)' },
          { type: 'part', part: finishPart(reason) },
        ],
      ]),
    })

    expect((await complete()).choices[0]?.finish_reason).toBe(expected)
  })

  it('throws the sentence of the failure, in a stream and as a whole', async () => {
    await start({
      model: createScriptedModel([
        [
          { type: 'text', text: 'A' },
          { type: 'cut', error: new Error('secret') },
        ],
      ]),
    })
    const readStream = async () => {
      for await (const _ of await connect().chat.completions.create({ model, messages, stream: true }));
    }

    const streamed = await failure(readStream())
    const whole = await failure(complete())

    expect(streamed).toBeInstanceOf(APIError)
    expect(streamed).toMatchObject({ code: 'answer_failed', type: 'server_error' })
    expect(whole).toMatchObject({ status: 503, code: 'answer_failed' })
    expect(`${String(streamed)}${String(whole)}`).not.toContain('secret')
  })

  it('is not asked for again by the client', async () => {
    await start({ model: createScriptedModel([[{ type: 'cut', error: new Error('No.') }]]) })

    const client = connect(assistantKey, { maxRetries: 2 })
    const error = await failure(client.chat.completions.create({ model, messages }))

    expect(error).toMatchObject({ status: 503, code: 'answer_failed' })
    expect(await countQuestions()).toBe(1)
  })

  it('is told how long the provider asks to wait', async () => {
    const busy = { fault: 'rate-limit', modelId: 'm', message: 'Busy.', retryAfterMs: 89_001 } as const
    await start({ model: createScriptedModel([[{ type: 'cut', error: new ModelCallError(busy) }]]) })

    const error = await failure(complete())

    expect(error).toMatchObject({ status: 503, code: 'answer_failed' })
    expect((error as APIError).headers?.get('retry-after')).toBe('90')
    await sendAsAdmin(docent, 'PATCH', '/admin/v1/sites/docs', { settings: { answersByAddress: true } })
    const page = await vi.waitUntil(async () => {
      const reply = await fetch(`${docent.url}/sites/docs/guides/printers.md?ask=Why%3F`)
      return reply.status === 503 && reply
    }, 5_000)
    expect([page.headers.get('retry-after'), await page.json()]).toMatchObject(['90', { code: 'answer_failed' }])
  })

  it.each([true, false])('stops the model when the client disconnects, streamed: %s', async (stream) => {
    const gated = createGatedModel()
    await start({ model: gated })
    const controller = new AbortController()
    const read = async () => {
      const reply = await connect().chat.completions.create({ model, messages, stream }, { signal: controller.signal })
      if (Symbol.asyncIterator in reply) for await (const _ of reply);
    }
    const asking = failure(read())
    await expect.poll(() => gated.calls.length).toBe(1)

    controller.abort()
    await asking

    await expect.poll(() => gated.isStopped()).toBe(true)
    await expect.poll(countQuestions).toBe(1)
  })
})

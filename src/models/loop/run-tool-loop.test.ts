import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createScriptedModel, finishPart, type ScriptedAction } from '../../../test/support/scripted-model.ts'
import { AppError } from '../../contract/app-error.ts'
import type { JsonValue } from '../../contract/json.ts'
import type { LoopEvent } from './loop-event.ts'
import { ModelCallError } from '../calls/model-call-error.ts'
import { ModelFailureError } from './model-failure-error.ts'
import { runToolLoop, type RunToolLoopInput } from './run-tool-loop.ts'
import type { ToolDefinition } from './tool-definition.ts'

const usage = { inputTokens: 10, outputTokens: 5 }
const inputSchema = z.object({ query: z.string() })

function createTool(run: (query: string, signal: AbortSignal) => Promise<JsonValue>, resultCharsMax = 1_000) {
  const tool: ToolDefinition<typeof inputSchema> = {
    name: 'search',
    description: 'Searches.',
    inputSchema,
    resultCharsMax,
    run: ({ query }, signal) => run(query, signal),
  }
  return tool
}

const echo = createTool(async (query) => [query])

async function run(steps: readonly (readonly ScriptedAction[])[], options: Partial<RunToolLoopInput> = {}) {
  const model = createScriptedModel(steps)
  const events: LoopEvent[] = []
  const signal = new AbortController().signal
  const messages: RunToolLoopInput['messages'] = [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }]
  const emit = (event: LoopEvent) => void events.push(event)
  const loop = runToolLoop({
    model,
    instructions: 'Answer.',
    messages,
    tools: [echo],
    emit,
    maxSteps: 3,
    signal,
    ...options,
  })
  const outcome = await loop.then(
    (ended) => ({ ended, error: null }),
    (error: unknown) => ({ ended: null, error }),
  )
  return { model, events, ...outcome }
}

const callSearch: ScriptedAction = { type: 'call', toolName: 'search', input: { query: 'x' }, callId: 'c1' }
const sayDone: ScriptedAction = { type: 'text', text: 'Done.' }

describe('an answer', () => {
  it('without tools is one step of text', async () => {
    const { events, ended } = await run([[{ type: 'text', text: 'Hello world' }]])

    expect(events).toEqual([
      { type: 'step-started' },
      { type: 'text-started', id: 's0-0' },
      { type: 'text-delta', id: 's0-0', text: 'Hello ' },
      { type: 'text-delta', id: 's0-0', text: 'world' },
      { type: 'text-ended', id: 's0-0' },
      { type: 'step-finished', finishReason: 'stop', usage },
    ])
    expect(ended).toMatchObject({ finishReason: 'stop', usage, steps: 1, text: 'Hello world', costUsd: null })
  })

  it('with a tool call returns the result to the model and continues', async () => {
    const { model, events, ended } = await run([[callSearch], [sayDone]])

    expect(events.slice(0, 5)).toEqual([
      { type: 'step-started' },
      { type: 'tool-called', callId: 'c1', toolName: 'search', input: { query: 'x' } },
      { type: 'tool-returned', callId: 'c1', output: ['x'] },
      { type: 'step-finished', finishReason: 'tool-calls', usage },
      { type: 'step-started' },
    ])
    expect(model.calls[1]?.prompt.slice(-2)).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { query: 'x' } }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'search', output: { type: 'json', value: ['x'] } },
        ],
      },
    ])
    expect(ended).toMatchObject({ steps: 2, text: 'Done.', usage: { inputTokens: 20, outputTokens: 10 } })
  })

  it('is never empty', async () => {
    const { events, ended } = await run([[{ type: 'text', text: ' \n' }]])

    expect(ended?.text.trim()).toBe('The model gave no answer to this. Ask again in other words.')
    expect(events.filter(({ type }) => type === 'text-started')).toHaveLength(2)
  })

  it('in the last step gets no tools, and calls made regardless are not run', async () => {
    const { model, ended } = await run([[callSearch]], { maxSteps: 2 })

    expect(model.calls.map(({ toolChoice }) => toolChoice)).toEqual([{ type: 'auto' }, { type: 'none' }])
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('No tool can be called any more.')
    expect(model.calls[1]?.prompt[0]).toEqual(model.calls[0]?.prompt[0])
    expect(ended).toMatchObject({ steps: 2, finishReason: 'other', text: expect.stringContaining('no answer') })
  })

  it("reports the model's own verdict", async () => {
    const finish = { ...finishPart('stop'), providerMetadata: { docent: { verdict: 'nearest-page' } } } as const

    const { ended } = await run([[sayDone, { type: 'part', part: finish }]])

    expect(ended?.claim).toBe('nearest-page')
  })
})

describe('what providers send', () => {
  it('is serialized when text and reasoning overlap', async () => {
    const parts: ScriptedAction[] = [
      { type: 'part', part: { type: 'reasoning-start', id: 'r' } },
      { type: 'part', part: { type: 'text-start', id: 't' } },
      { type: 'part', part: { type: 'reasoning-delta', id: 'r', delta: 'hm' } },
      { type: 'part', part: { type: 'text-delta', id: 't', delta: 'a' } },
      { type: 'part', part: { type: 'reasoning-delta', id: 'r', delta: 'hm' } },
      { type: 'part', part: { type: 'text-end', id: 't' } },
      { type: 'part', part: { type: 'text-delta', id: 'unstarted', delta: 'b' } },
    ]

    const { events, ended } = await run([parts])

    expect(events.slice(1, -1).map(({ type }) => type)).toEqual([
      'reasoning-started',
      'reasoning-delta',
      'reasoning-ended',
      'text-started',
      'text-delta',
      'text-ended',
      'reasoning-started',
      'reasoning-delta',
      'reasoning-ended',
      'text-started',
      'text-delta',
      'text-ended',
    ])
    expect(ended?.text).toBe('ab')
  })

  it('keeps the signature of reasoning for the next step', async () => {
    const signature = { anthropic: { signature: 'sig' } }
    const parts: ScriptedAction[] = [
      { type: 'part', part: { type: 'reasoning-start', id: 'r' } },
      { type: 'part', part: { type: 'reasoning-delta', id: 'r', delta: 'hm' } },
      { type: 'part', part: { type: 'reasoning-end', id: 'r', providerMetadata: signature } },
      callSearch,
    ]

    const { model } = await run([parts, [sayDone]])

    expect(model.calls[1]?.prompt.at(-2)?.content[0]).toEqual({
      type: 'reasoning',
      text: 'hm',
      providerOptions: signature,
    })
  })

  it('is a call even if only its pieces arrived, but not if they broke off', async () => {
    const parts: ScriptedAction[] = [
      { type: 'part', part: { type: 'tool-input-start', id: 'c1', toolName: 'search' } },
      { type: 'part', part: { type: 'tool-input-delta', id: 'c1', delta: '{"query":' } },
      { type: 'part', part: { type: 'tool-input-delta', id: 'c1', delta: '"x"}' } },
      { type: 'part', part: { type: 'tool-input-end', id: 'c1' } },
      { type: 'part', part: { type: 'tool-input-start', id: 'c2', toolName: 'search' } },
      { type: 'part', part: { type: 'tool-input-delta', id: 'c2', delta: '{"que' } },
    ]

    const { events } = await run([parts, [sayDone]])

    expect(events.filter(({ type }) => type === 'tool-called')).toEqual([
      { type: 'tool-called', callId: 'c1', toolName: 'search', input: { query: 'x' } },
    ])
  })

  it('is one call if both its pieces and the whole arrived', async () => {
    const parts: ScriptedAction[] = [
      { type: 'part', part: { type: 'tool-input-start', id: 'c1', toolName: 'search' } },
      { type: 'part', part: { type: 'tool-input-delta', id: 'c1', delta: '{"query":"x"}' } },
      { type: 'part', part: { type: 'tool-input-end', id: 'c1' } },
      callSearch,
    ]

    const { events } = await run([parts, [sayDone]])

    expect(events.filter(({ type }) => type === 'tool-called')).toHaveLength(1)
  })
})

describe('output that was cut at its limit', () => {
  const cut: ScriptedAction = { type: 'part', part: finishPart('length') }

  it.each<[string, ScriptedAction[]]>([
    ['in the middle of the arguments', [{ ...callSearch, input: '{"query": "abc' }]],
    ['before the first argument', [{ ...callSearch, input: '' }]],
    [
      'before the call was whole',
      [
        { type: 'part', part: { type: 'tool-input-start', id: 'c1', toolName: 'search' } },
        { type: 'part', part: { type: 'tool-input-delta', id: 'c1', delta: '{"query": "a' } },
      ],
    ],
  ])('%s tells the model so, and how to go on', async (_, actions) => {
    const { events, model } = await run([[...actions, cut], [sayDone]], { cutAdvice: 'Write in parts.' })

    expect(events.find(({ type }) => type === 'tool-failed')).toMatchObject({
      message: expect.stringMatching(/^Your output was cut at its limit .* Write in parts\.$/),
    })
    expect(model.calls).toHaveLength(2)
  })

  it('by the limit of replies ends the step as one that was cut, if somebody can tell the model', async () => {
    const error = new ModelCallError({ fault: 'oversized', modelId: 'a/b', message: 'The provider sent too much.' })
    const actions: ScriptedAction[] = [{ type: 'text', text: 'Now' }, callSearch, { type: 'cut', error }]

    const { ended, events } = await run([actions], { cutAdvice: 'Write in parts.' })

    expect(ended).toMatchObject({ finishReason: 'length', isSilent: true })
    expect(events.some(({ type }) => type === 'tool-called')).toBe(false)
    expect((await run([actions])).error).toMatchObject({ cause: { fault: 'oversized' } })
  })

  it('behind a whole call lets that call run', async () => {
    const { events } = await run([[callSearch, cut], [sayDone]])

    expect(events.some(({ type }) => type === 'tool-returned')).toBe(true)
  })
})

describe('many calls in a step', () => {
  const many = (count: number): ScriptedAction[] =>
    Array.from({ length: count }, (_, index) => ({ ...callSearch, callId: `c${index}`, input: { query: `${index}` } }))

  it('run up to a limit, and no more than 256 of them are answered', async () => {
    const ran: string[] = []
    const tools = [createTool(async (query) => ran.push(query))]

    const { model } = await run([many(10_000), [sayDone]], { tools, maxToolCalls: 20 })

    const [said, results] = model.calls[1]?.prompt.slice(-2) ?? []
    expect(ran).toHaveLength(20)
    expect([said?.content.length, results?.content.length]).toEqual([256, 256])
    expect(JSON.stringify(results?.content.at(-1))).toContain('at most 20 calls run in one step')
  })

  it('share the space for results, of which short ones stay whole', async () => {
    const tools = [createTool(async (query) => 'x'.repeat(query === '0' ? 10 : 900))]

    const { model } = await run([many(3), [sayDone]], { tools, resultCharsMax: 600 })

    const results = model.calls[1]?.prompt.at(-1)
    const parts = results?.role === 'tool' ? results.content : []
    const sizes = parts.map((part) => JSON.stringify(part).length)
    expect(sizes[0]).toBeLessThan(150)
    expect(sizes.slice(1).every((size) => size > 300 && size < 600)).toBe(true)
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain('This result is cut')
  })
})

it('adds what the caller notes about a call to its result', async () => {
  const { model } = await run([[callSearch], [sayDone]], { noteResult: ({ toolName }) => `Enough of ${toolName}.` })

  expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
    content: [{ output: { type: 'text', value: '["x"]\n\nEnough of search.' } }],
  })
})

describe('a tool', () => {
  const failures: [string, ToolDefinition[], ScriptedAction, string][] = [
    [
      'that throws',
      [createTool(() => Promise.reject(new Error('password=1')))],
      callSearch,
      '"search" failed. Go on without it.',
    ],
    [
      'that refuses',
      [createTool(() => Promise.reject(new AppError('page_not_found', 'There is no such page. Search again.')))],
      callSearch,
      'There is no such page. Search again.',
    ],
    ['that does not exist', [echo], { ...callSearch, toolName: 'fly' }, 'There is no tool "fly". Use one of: search.'],
    [
      'whose input is no JSON',
      [echo],
      { ...callSearch, input: '["q"]' },
      'The input of "search" is not a JSON object. Call it again with one.',
    ],
    [
      'whose input was cut off',
      [echo],
      { ...callSearch, input: '{"q' },
      'The input of "search" was cut off after 3 characters, so nothing was done. Send less at once: for a long file, write its first part and add the others one by one.',
    ],
  ]

  it.each(failures)('%s returns its failure to the model', async (_, tools, call, message) => {
    const { model, events, ended } = await run([[call], [sayDone]], { tools })

    expect(events.find(({ type }) => type === 'tool-failed')).toEqual({ type: 'tool-failed', callId: 'c1', message })
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
      content: [{ output: { type: 'error-text', value: message } }],
    })
    expect(ended?.text).toBe('Done.')
  })

  it('is not run on input that does not fit', async () => {
    const { events } = await run([[{ ...callSearch, input: { query: ['a'] } }], [sayDone]])

    const failed = events.find(({ type }) => type === 'tool-failed')
    expect(failed).toMatchObject({ message: expect.stringContaining('query') })
  })

  it('reports a hidden error to the caller of the loop', async () => {
    const reported: unknown[] = []
    const error = new Error('password=1')
    const tools = [createTool(() => Promise.reject(error))]

    await run([[callSearch], [sayDone]], { tools, onToolError: (...all) => reported.push(all) })

    expect(reported).toEqual([['search', error]])
  })

  it('that ignores its time limit is abandoned', async () => {
    const tools = [createTool(() => new Promise(() => undefined))]

    const { events } = await run([[callSearch], [sayDone]], { tools, toolTimeoutMs: 5 })

    expect(events.find(({ type }) => type === 'tool-failed')).toMatchObject({
      message: expect.stringContaining('5 ms'),
    })
  })

  it('returns no more to the model than its limit: of a list, the first items', async () => {
    const tools = [createTool(async () => ['a'.repeat(30), 'b'.repeat(30), 'c'.repeat(30)], 80)]

    const { events } = await run([[callSearch], [sayDone]], { tools })

    expect(events.find(({ type }) => type === 'tool-returned')).toMatchObject({
      output: ['a'.repeat(30), 'b'.repeat(30)],
    })
  })

  it('called twice in a step runs concurrently and answers in order', async () => {
    const first = Promise.withResolvers<JsonValue>()
    const tools = [
      createTool(async (query) => {
        if (query === '1') return first.promise
        first.resolve('one')
        return 'two'
      }),
    ]
    const calls: ScriptedAction[] = ['1', '2'].map((query) => ({ type: 'call', toolName: 'search', input: { query } }))

    const { events } = await run([calls, [sayDone]], { tools })

    const returned = events.filter((event) => event.type === 'tool-returned')
    expect(returned.map(({ output }) => output)).toEqual(['one', 'two'])
  })
})

describe('a failure of the model', () => {
  const cause = Object.assign(new Error('secret detail'), { statusCode: 429 })

  it.each([
    [429, 'The model is receiving too many requests. Ask again in a minute.'],
    [401, 'The model refused the key of this service. Tell its operator.'],
    [
      500,
      'The model could not be reached or failed. Ask again in a minute; tell the operator if the problem persists.',
    ],
  ])('of status %d before the first word becomes a sentence, its cause apart', async (statusCode, message) => {
    const refused = Object.assign(new Error('secret detail'), { statusCode })

    const { error } = await run([[{ type: 'refuse', error: refused }]])

    expect(error).toBeInstanceOf(ModelFailureError)
    expect(error).toMatchObject({ message, cause: refused, isPartial: false })
  })

  it.each([
    [30, 'in a minute'],
    [600, 'in 10 minutes'],
    [7_200, 'in 2 hours'],
    [3 * 86_400, 'in 3 days'],
  ])('that is to be asked again after %d seconds says so', async (seconds, words) => {
    const refused = new ModelCallError({
      fault: 'rate-limit',
      modelId: 'a/b',
      message: 'Slow down.',
      retryAfterMs: seconds * 1_000,
    })

    const { error } = await run([[{ type: 'refuse', error: refused }]])

    expect(error).toMatchObject({ message: `The model is receiving too many requests. Ask again ${words}.` })
  })

  it.each<[string, ScriptedAction]>([
    ['an error part', { type: 'part', part: { type: 'error', error: cause } }],
    ['a cut stream', { type: 'cut', error: cause }],
  ])('in mid-stream by %s says that the answer broke off', async (_, action) => {
    const { events, error } = await run([[sayDone, action]])

    expect(events.some(({ type }) => type === 'text-delta')).toBe(true)
    expect(error).toMatchObject({
      isPartial: true,
      cause,
      message: 'The answer broke off because the model failed. Ask again.',
    })
  })

  it('is also a stream that ends without finishing', async () => {
    const { error } = await run([[sayDone, { type: 'break-off' }]])

    expect(error).toBeInstanceOf(ModelFailureError)
  })

  it('is also silence', async () => {
    const silence: ScriptedAction = { type: 'wait', until: new Promise(() => undefined) }

    const { error } = await run([[silence]], { modelIdleMs: 5 })

    expect(error).toBeInstanceOf(ModelFailureError)
    expect(error).toMatchObject({ cause: expect.objectContaining({ message: 'The model sent nothing for 5 ms.' }) })
  })
})

describe('an abort', () => {
  const reason = new Error('the reader left')
  const abortAt = (type: LoopEvent['type'], controller: AbortController) => (event: LoopEvent) => {
    if (event.type === type) controller.abort(reason)
    return undefined
  }

  it('ends the loop with its reason while the model is silent', async () => {
    const controller = new AbortController()
    const until = new Promise<void>((resolve) => {
      controller.signal.addEventListener('abort', () => setTimeout(resolve, 1_000).unref())
    })
    const emit = abortAt('text-ended', controller)

    const { error } = await run([[sayDone, { type: 'wait', until }]], { signal: controller.signal, emit })

    expect(error).toBe(reason)
  })

  it('ends the loop while a tool that ignores it runs', async () => {
    const controller = new AbortController()
    const tools = [
      createTool(() => {
        controller.abort(reason)
        return new Promise(() => undefined)
      }),
    ]

    const { error, events } = await run([[callSearch]], { tools, signal: controller.signal })

    expect(error).toBe(reason)
    expect(events.at(-1)?.type).toBe('tool-called')
  })

  it('cancels the stream of a model that ignores it', async () => {
    const controller = new AbortController()
    const cancelled = Promise.withResolvers<unknown>()
    const model = createScriptedModel([])
    model.doStream = async () => ({
      stream: new ReadableStream({
        start: (stream) => stream.enqueue({ type: 'text-delta', id: '0', delta: 'x' }),
        cancel: cancelled.resolve,
      }),
    })
    const emit = abortAt('text-delta', controller)

    const { error } = await run([], { model, signal: controller.signal, emit })

    expect(error).toBe(reason)
    expect(await cancelled.promise).toBe(reason)
  })
})

it('waits for a slow reader before the next event', async () => {
  const seen: string[] = []
  const emit = async (event: LoopEvent) => {
    seen.push(`${event.type} begins`)
    await Promise.resolve()
    seen.push(`${event.type} ends`)
  }

  await run([[sayDone]], { emit })

  expect(seen.map((line) => line.split(' ')[1])).toEqual(Array.from({ length: 5 }, () => ['begins', 'ends']).flat())
})

describe('a loop whose budget is spent', () => {
  const again = [
    callSearch,
    { type: 'part', part: { ...finishPart('tool-calls'), providerMetadata: { docent: { costUsd: 0.1 } } } },
  ] satisfies ScriptedAction[]

  it('withdraws the tools, tells the model, and lets it answer', async () => {
    const { model, ended } = await run([again, again, [sayDone]], {
      maxSteps: 9,
      isSpent: ({ usage: { inputTokens, outputTokens } }) => inputTokens + outputTokens >= 30,
    })

    expect(ended).toMatchObject({ text: 'Done.', steps: 3, usage: { inputTokens: 30, outputTokens: 15 } })
    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto', 'auto', 'none'])
    expect(JSON.stringify(model.calls.at(-1)?.prompt.at(-1))).toMatch(/No tool can be called any more/)
  })

  it('never withdraws them before the first call', async () => {
    const { model } = await run([[sayDone]], { isSpent: () => true })

    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(['auto'])
  })

  it('reports the use after each call, even if a later one fails', async () => {
    const used: (number | null)[] = []

    const { error } = await run([again, [{ type: 'refuse', error: new Error('down') }]], {
      onStep: ({ costUsd }) => used.push(costUsd),
    })

    expect(error).toBeInstanceOf(ModelFailureError)
    expect(used).toEqual([0.1])
  })
})

import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createManualTime } from '../../../test/models/manual-time.ts'
import {
  createScriptedModel,
  finishPart,
  type ScriptedAction,
  type ScriptedModel,
} from '../../../test/support/scripted-model.ts'
import type { ChatModel, ChatPrompt, ChatStreamPart } from '../chat-model.ts'
import { describeChatModel, readAll } from '../../../test/models/chat-model.conformance.ts'
import { ModelCallError } from './model-call-error.ts'
import { acceptsRestart, isRestarted } from './restarting-stream.ts'
import { createResilientModel, type ResilientModelInput } from './resilient-model.ts'

const prompt: ChatPrompt = [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }]
const limits = { firstTokenMs: 60_000, silenceMs: 30_000, callMs: 100_000 }
const refuse = (statusCode: number, headers: Record<string, string> = {}): ScriptedAction[] => [
  { type: 'refuse', error: Object.assign(new Error(`status ${statusCode}`), { statusCode, responseHeaders: headers }) },
]
const say = (text: string): ScriptedAction[] => [{ type: 'text', text }]
const never: ScriptedAction = { type: 'wait', until: new Promise(() => undefined) }

function setup(scripts: readonly ScriptedAction[][][], input: Partial<ResilientModelInput> = {}) {
  const time = createManualTime()
  time.skipWaits()
  const models = scripts.map((steps, index) => named(createScriptedModel(steps), `m${index}`))
  const [first, ...others] = models as [ScriptedModel, ...ScriptedModel[]]
  const model = createResilientModel(time.deps, { models: [first, ...others], limits, retriesMax: 2, ...input })
  return { time, model, models, calls: () => models.map((each) => each.calls.length) }
}

function named(model: ScriptedModel, modelId: string): ScriptedModel {
  return { ...model, modelId }
}

const textOf = (parts: readonly ChatStreamPart[]) =>
  parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

describeChatModel('A resilient model', {
  createTalker: () => setup([[say('One two three four.')]]).model,
})

describe('a model whose caller has time', () => {
  const breakOff: ScriptedAction[] = [...say('One '), { type: 'break-off' }]
  const restarting = { prompt, providerOptions: acceptsRestart }

  it('is asked again when its reply breaks off, and the rest of it is taken back', async () => {
    const { model, calls, time } = setup([[breakOff, breakOff, say('Whole.')], [say('Other.')]], {
      patience: 'working',
    })

    const parts = await readAll(model, restarting)

    expect(textOf(parts.slice(parts.findLastIndex(isRestarted)))).toBe('Whole.')
    expect(parts.filter(isRestarted)).toHaveLength(2)
    expect({ calls: calls(), slept: time.slept }).toEqual({ calls: [3, 0], slept: [1_500, 3_000] })
  })

  it('is asked again when it falls silent', async () => {
    const { model, calls, time } = setup([[[...say('One '), never], say('Whole.')]], { patience: 'working' })

    const reading = readAll(model, restarting)
    await time.advance(0)
    await time.advance(limits.silenceMs)
    const parts = await reading

    expect(textOf(parts.slice(parts.findLastIndex(isRestarted)))).toBe('Whole.')
    expect(calls()).toEqual([2])
  })

  it('fails after its retries, or lets the next model take over', async () => {
    const alone = setup([[breakOff]], { patience: 'working' })
    const backed = setup([[breakOff], [say('Other.')]], { patience: 'working' })

    await expect(readAll(alone.model, restarting)).rejects.toMatchObject({ fault: 'broken' })
    const parts = await readAll(backed.model, restarting)

    expect([alone.calls(), backed.calls()]).toEqual([[3], [3, 1]])
    expect(textOf(parts.slice(parts.findLastIndex(isRestarted)))).toBe('Other.')
  })

  it('waits as long as a provider asks, up to five minutes', async () => {
    const patient = { patience: 'working', limits: { ...limits, callMs: 600_000 } } as const
    const { model, time } = setup([[refuse(429, { 'retry-after': '240' }), say('Now.')]], patient)

    const reading = readAll(model, { prompt })
    await time.advance(0)
    await time.advance(241_000)

    expect(textOf(await reading)).toBe('Now.')
    expect(time.slept).toContain(241_000)
  })
})

describe('before the first token', () => {
  it('tries the models in order, each with its retries', async () => {
    const { model, calls, time } = setup([[refuse(503)], [refuse(500)], [say('Third.')]])

    const parts = await readAll(model, { prompt })

    expect(textOf(parts)).toBe('Third.')
    expect(calls()).toEqual([3, 3, 1])
    expect(time.slept).toEqual([375, 750, 375, 750])
  })

  it.each([400, 401, 403, 404])('moves on to the next model immediately after %d', async (status) => {
    const { model, calls, time } = setup([[refuse(status)], [say('Second.')]])

    await readAll(model, { prompt })

    expect({ calls: calls(), slept: time.slept }).toEqual({ calls: [1, 1], slept: [] })
  })

  it('asks no model again whose reply was longer than any that is read', async () => {
    const cause = new Error('The provider sent an event of more than 1048576 bytes.')
    const error = new Error('Failed to process successful response', { cause })
    const { model, calls } = setup([[[{ type: 'part', part: { type: 'error', error } }]], [say('Second.')]])

    await readAll(model, { prompt })

    expect(calls()).toEqual([1, 1])
  })

  it.each([
    ['seconds', { 'retry-after': '4' }, 4_250],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1_750],
    ['a date', { 'Retry-After': new Date(1_000_000 + 6_000).toUTCString() }, 6_250],
  ])('waits as long as a 429 asks, in %s', async (_, headers, waitMs) => {
    const { model, time } = setup([[refuse(429, headers), say('Now.')]])

    await readAll(model, { prompt })

    expect(time.slept).toEqual([waitMs])
  })

  it('leaves no output of failed models in the stream', async () => {
    const broken: ScriptedAction[] = [
      { type: 'part', part: { type: 'text-start', id: 'lost' } },
      { type: 'part', part: { type: 'error', error: new Error('broken') } },
    ]
    const { model } = setup([[broken], [say('Second.')]], { retriesMax: 0 })

    const parts = await readAll(model, { prompt })

    expect(parts.filter(({ type }) => type === 'stream-start')).toHaveLength(1)
    expect(JSON.stringify(parts)).not.toContain('lost')
  })

  it('moves on to the next model after an empty answer, and returns it if there is none', async () => {
    const empty: ScriptedAction[] = [{ type: 'part', part: finishPart('stop') }]

    const second = await readAll(setup([[empty], [say('Second.')]]).model, { prompt })
    const only = await readAll(setup([[empty]]).model, { prompt })

    expect(textOf(second)).toBe('Second.')
    expect(only.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'stop' } })
  })

  it('does not wait for another call beyond the deadline', async () => {
    const { model, calls } = setup([[refuse(429, { 'retry-after': '15' })]], { limits: { ...limits, callMs: 10_000 } })

    await expect(readAll(model, { prompt })).rejects.toMatchObject({ fault: 'rate-limit' })
    expect(calls()).toEqual([1])
  })

  it('abandons a slow model for the next one', async () => {
    const { model, time } = setup([[[never]], [say('Second.')]])

    const reading = readAll(model, { prompt })
    await time.advance(59_999)
    await time.advance(1)

    expect(textOf(await reading)).toBe('Second.')
  })

  it('ends with the reason of an abort while it waits between calls', async () => {
    const { model, time } = setup([[refuse(429, { 'retry-after': '12' })]])
    const controller = new AbortController()
    const reason = new Error('gone')

    const call = model.doStream({ prompt, abortSignal: controller.signal })
    await time.advance(1)
    controller.abort(reason)

    await expect(call).rejects.toBe(reason)
  })

  it('fails with what an operator needs, and nothing of the prompt', async () => {
    const error = Object.assign(new Error('No access with sk-secret123'), {
      statusCode: 401,
      requestBodyValues: { prompt: 'private question' },
    })
    const { model } = setup([[[{ type: 'refuse', error }]]])

    const failure: unknown = await readAll(model, { prompt }).catch((failed: unknown) => failed)

    expect(failure).toMatchObject({
      fault: 'key',
      statusCode: 401,
      modelId: 'test/m0',
      message: 'No access with (hidden)',
    })
    expect(inspect(failure, { depth: 9 })).not.toContain('private')
  })
})

describe('after the first token', () => {
  it.each<[string, ScriptedAction]>([
    ['an error part', { type: 'part', part: { type: 'error', error: new Error('broken') } }],
    ['a cut stream', { type: 'cut', error: new Error('broken') }],
    ['an interrupted finish', { type: 'part', part: finishPart('interrupted') }],
  ])('calls no other model after %s', async (_, action) => {
    const { model, calls } = setup([[[...say('Half'), action]], [say('Second.')]])

    await expect(readAll(model, { prompt })).rejects.toMatchObject({ name: 'ModelCallError' })
    expect(calls()).toEqual([1, 0])
  })

  it('ends when the model falls silent, but not while the reader is slow', async () => {
    const { model, time } = setup([[[...say('Half'), never]]], { limits: { ...limits, callMs: 1_000_000 } })
    const { stream } = await model.doStream({ prompt })
    const reader = stream.getReader()
    await time.advance(30_000)
    await time.advance(30_000)
    for (let index = 0; index < 4; index++) await reader.read()

    const silent = reader.read()
    await time.advance(29_999)
    const isOver = await Promise.race([
      silent.then(
        () => true,
        () => true,
      ),
      Promise.resolve(false),
    ])
    await time.advance(30_000)

    expect(isOver).toBe(false)
    await expect(silent).rejects.toMatchObject({ fault: 'timeout', message: 'The model stopped responding.' })
  })

  it('lets the next models begin anew for a caller that accepts it, until one ends or none is left', async () => {
    const breakOff = (text: string): ScriptedAction[] => [...say(text), { type: 'cut', error: new Error('cut') }]
    const read = async (scripts: readonly ScriptedAction[][][], options: object) => {
      const { stream } = await setup(scripts).model.doStream({ prompt, ...options })
      const texts: string[] = []
      try {
        for await (const part of stream) {
          if (isRestarted(part)) texts.push('(restarted)')
          if (part.type === 'text-delta') texts.push(part.delta)
        }
      } catch (error) {
        texts.push(error instanceof ModelCallError ? error.modelId : String(error))
      }
      return texts
    }
    const accepting = { providerOptions: acceptsRestart }

    expect(await read([[breakOff('One ')], [breakOff('Two ')], [say('Three.')]], accepting)).toEqual([
      'One ',
      '(restarted)',
      'Two ',
      '(restarted)',
      'Three.',
    ])
    expect(await read([[breakOff('One ')], [refuse(500)]], accepting)).toEqual(['One ', 'test/m0'])
    expect(await read([[breakOff('One ')]], accepting)).toEqual(['One ', 'test/m0'])
    expect(await read([[breakOff('One ')], [say('Two.')]], {})).toEqual(['One ', 'test/m0'])
  })

  it('cancels the stream of the model with its own', async () => {
    const cancelled = Promise.withResolvers<unknown>()
    const source: ChatModel = {
      ...createScriptedModel([]),
      doStream: async () => ({
        stream: new ReadableStream({
          start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'x' }),
          cancel: cancelled.resolve,
        }),
      }),
    }
    const model = createResilientModel(createManualTime().deps, { models: [source], limits, retriesMax: 0 })

    await (await model.doStream({ prompt })).stream.cancel('left')

    expect(await cancelled.promise).toBe('left')
  })
})

describe('a model that is not paid for', () => {
  const refused: ScriptedAction[] = [
    { type: 'refuse', error: new ModelCallError({ fault: 'ceiling', modelId: 'test/m0', message: 'Too dear.' }) },
  ]

  it('is not called again, and a cheaper one is tried', async () => {
    const { model, calls, time } = setup([[refused], [say('Second.')]])

    expect(textOf(await readAll(model, { prompt }))).toBe('Second.')
    expect({ calls: calls(), slept: time.slept }).toEqual({ calls: [1, 1], slept: [] })
  })

  it.each([
    ['before', [[refused], [refuse(400)]]],
    ['after', [[refuse(400)], [refused]]],
  ])('is the reason when all fail, tried %s the one that failed', async (_, scripts) => {
    const { model } = setup(scripts)

    await expect(readAll(model, { prompt })).rejects.toMatchObject({ fault: 'ceiling' })
  })
})

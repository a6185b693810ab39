import { describe, expect, it } from 'vitest'
import { createScriptedModel, finishPart, type ScriptedAction } from '../../../test/support/scripted-model.ts'
import { silentLog } from '../../telemetry/log.ts'
import { billModel } from './billed-model.ts'
import type { ChatPrompt, ChatStreamPart } from '../chat-model.ts'
import { describeChatModel, readAll } from '../../../test/models/chat-model.conformance.ts'
import { estimatePrompt } from './estimate-tokens.ts'
import { type CallBounds, type CallCost, type ModelAccount, unlimitedAccount } from './model-account.ts'

const prompt: ChatPrompt = [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }]
const millionTokens = 1_000_000
/** One dollar per million input tokens, ten per million output tokens. */
const prices = { 'test/': { input: 1, output: 10 } }
const saySo: ScriptedAction = { type: 'text', text: 'So it is.' }
const inputTokens = estimatePrompt(prompt)
const reserved = (inputTokens * 1 + 1_000 * 10) / millionTokens

function finishWith(input: number | undefined, output: number | undefined): ScriptedAction {
  const usage = {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  }
  return { type: 'part', part: { ...finishPart('stop'), usage } }
}

interface Settled {
  cost: CallCost
  isKnown: boolean
}

function setup(
  steps: ScriptedAction[][],
  {
    isPriced = true,
    usdMax = Infinity,
    bounds = {},
  }: { isPriced?: boolean; usdMax?: number; bounds?: Partial<CallBounds> } = {},
) {
  const model = createScriptedModel(steps)
  const reservations: CallCost[] = []
  const settled: Settled[] = []
  const account: ModelAccount = {
    readBounds: () => ({ ...unlimitedAccount.readBounds(), isPromptCut: true, ...bounds }),
    async reserve(most) {
      if ((most.usd ?? 0) > usdMax) return null
      reservations.push(most)
      return { settle: async (cost, isKnown) => void settled.push({ cost, isKnown }) }
    },
  }
  const billed = billModel({ log: silentLog, ...(isPriced && { prices }) }, model).billTo(account)
  const call = (options: object = {}) => readAll(billed, { prompt, maxOutputTokens: 1_000, ...options })
  return { model, billed, call, reservations, settled, account }
}

describeChatModel('A billed model', { createTalker: () => setup([[saySo]]).billed })

describe('before a call', () => {
  it('its maximum cost is reserved: its prompt, its tools and all of its output', async () => {
    const { call, reservations } = setup([[saySo]])
    const tool = { type: 'function', name: 'search', inputSchema: { type: 'object', properties: {} } }

    await call()
    await call({ tools: [tool] })

    expect(reservations[0]).toEqual({ tokens: inputTokens + 1_000, usd: reserved })
    expect(reservations[1]?.tokens).toBeGreaterThan(inputTokens + 2_000)
  })

  it.each([
    // Published examples: OpenAI's gpt-4o-mini (8 tiles), gpt-4.1-nano, Claude, Gemini and Qwen2.5-VL.
    ['openai/gpt-4o-mini', 2_048, 768, 48_169],
    ['openai/gpt-4.1-nano', 1_024, 1_024, 2_520],
    ['anthropic/claude-sonnet-4-5', 1_092, 1_092, 1_590],
    ['google/gemini-2.5-flash', 960, 540, 1_548],
    ['google/gemini-2.5-flash', 7_680, 7_680, 25_800],
    ['openai-compatible/qwen2.5-vl', 3_584, 3_584, 16_384],
  ])('an image is reserved at least as %s counts one of %d × %d', async (id, width, height, published) => {
    const { reservations, account } = setup([[saySo]])
    const [provider = '', modelId = ''] = id.split('/')
    const billed = billModel({ log: silentLog }, { ...createScriptedModel([[saySo]]), provider, modelId }).billTo(
      account,
    )
    const image = {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'data', data: new Uint8Array(3_000_000) },
    } as const

    const content = [{ ...image, providerOptions: { docent: { width, height } } }]
    await readAll(billed, { prompt: [{ role: 'user', content }], maxOutputTokens: 1_000 })

    expect(reservations[0]?.tokens).toBeGreaterThanOrEqual(published + 1_000)
    expect(reservations[0]?.tokens).toBeLessThan(Math.max(published * 1.6, 6_600) + 1_000)
  })

  it('without an output bound, a default one is reserved', async () => {
    const { call, reservations } = setup([[saySo]])

    await call({ maxOutputTokens: undefined })

    expect(reservations[0]?.tokens).toBe(inputTokens + 32_000)
  })

  it('a call that could exceed the rest of the budget is not made', async () => {
    const { call, model } = setup([[saySo]], { usdMax: reserved - 0.000_001 })

    await expect(call()).rejects.toMatchObject({ fault: 'ceiling' })
    expect(model.calls).toHaveLength(0)
  })

  it('a call that is aborted before it is made costs nothing', async () => {
    const { billed, model, settled, reservations } = setup([[saySo]])
    const leaving = new AbortController()

    const call = billed.doStream({ prompt, abortSignal: leaving.signal })
    leaving.abort(new Error('left'))

    await expect(call).rejects.toThrow('left')
    expect(model.calls).toHaveLength(0)
    expect(settled).toEqual(reservations.map(() => ({ cost: { tokens: 0, usd: 0 }, isKnown: true })))
  })
})

describe('after a call', () => {
  it('its actual cost replaces the reserved one, and its finish part reports it', async () => {
    const { call, settled } = setup([[saySo, finishWith(100, 20)]])

    const finish = (await call()).at(-1)

    expect(settled).toEqual([{ cost: { tokens: 120, usd: 0.0003 }, isKnown: true }])
    expect(finish).toMatchObject({ providerMetadata: { docent: { model: 'test/scripted', costUsd: 0.0003 } } })
  })

  it.each<[string, ScriptedAction[]]>([
    ['reports no usage', [saySo, finishWith(undefined, undefined)]],
    ['reports zeros', [saySo, finishWith(0, 0)]],
    ['reports no output for a text', [saySo, finishWith(100, 0)]],
    ['reports less than nothing', [saySo, finishWith(-1_000_000, -5)]],
    ['reports no number', [saySo, finishWith(Number.NaN, 5)]],
    ['is cut off', [saySo, { type: 'cut', error: new Error('cut') }]],
    [
      'is cut off late',
      [
        { type: 'text', text: 'word '.repeat(1_000) },
        { type: 'cut', error: new Error('cut') },
      ],
    ],
    ['ends without an end', [saySo, { type: 'break-off' }]],
    ['breaks its connection', [{ type: 'refuse', error: Object.assign(new Error('x'), { code: 'ECONNRESET' }) }]],
    ['is too slow', [{ type: 'refuse', error: Object.assign(new Error('x'), { statusCode: 408 }) }]],
  ])('what was reserved stays counted where the provider %s', async (_, actions) => {
    const { call, settled, reservations } = setup([actions])

    await call().catch(() => undefined)

    expect(reservations).toHaveLength(1)
    expect(settled).toEqual([])
  })

  it('its reservation stays when the caller leaves', async () => {
    const { billed, settled } = setup([[saySo]])

    const { stream } = await billed.doStream({ prompt })
    await stream.cancel()

    expect(settled).toEqual([])
  })

  it.each([400, 401, 404, 413, 429])('nothing is counted for a refusal with %d', async (statusCode) => {
    const { call, settled } = setup([[{ type: 'refuse', error: Object.assign(new Error('no'), { statusCode }) }]])

    await call().catch(() => undefined)

    expect(settled).toEqual([{ cost: { tokens: 0, usd: 0 }, isKnown: true }])
  })

  it('nothing is counted if no connection was made, however deeply the cause is nested', async () => {
    const cause = { cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }
    const { call, settled } = setup([[{ type: 'refuse', error: new Error('Cannot connect', { cause }) }]])

    await call().catch(() => undefined)

    expect(settled).toEqual([{ cost: { tokens: 0, usd: 0 }, isKnown: true }])
  })

  it.each([500, 503, 529])('the prompt is counted for a failure with %d', async (statusCode) => {
    const { call, settled } = setup([[{ type: 'refuse', error: Object.assign(new Error('no'), { statusCode }) }]])

    await call().catch(() => undefined)

    expect(settled).toEqual([{ cost: { tokens: inputTokens, usd: inputTokens / millionTokens }, isKnown: false }])
  })

  it('a provider that overcharges has more reserved for its next calls', async () => {
    const { call, settled, reservations } = setup([[saySo, finishWith(100, 3_000)]])

    await call()
    await call()

    expect(settled[0]?.cost.usd).toBeCloseTo(0.0301, 10)
    expect(reservations[1]?.usd).toBeCloseTo(0.0301, 10)
  })

  it('a model without a known price is counted by its tokens', async () => {
    const { call, settled, reservations } = setup([[saySo, finishWith(100, 20)]], { isPriced: false })

    const finish = (await call()).at(-1)

    expect(reservations).toEqual([{ tokens: inputTokens + 1_000, usd: null }])
    expect(settled).toEqual([{ cost: { tokens: 120, usd: null }, isKnown: true }])
    expect(finish).toMatchObject({ providerMetadata: { docent: { costUsd: null } } })
  })
})

describe('an output that does not end', () => {
  const endless = (part: (index: number) => ChatStreamPart): ScriptedAction[] => [
    { type: 'part', part: { type: 'text-start', id: '0' } },
    ...Array.from({ length: 2_000 }, (_, index): ScriptedAction => ({ type: 'part', part: part(index) })),
  ]
  const word = 'endless '.repeat(20)

  it.each<[string, (index: number) => ChatStreamPart]>([
    ['text', () => ({ type: 'text-delta', id: '0', delta: word })],
    ['Chinese', () => ({ type: 'text-delta', id: '0', delta: '没有尽头的回答'.repeat(6) })],
    ['reasoning', () => ({ type: 'reasoning-delta', id: '0', delta: word })],
    ['input of a tool', () => ({ type: 'tool-input-delta', id: '0', delta: word })],
    [
      'calls of tools',
      (index) => ({ type: 'tool-call', toolCallId: `${index}`, toolName: 'search', input: '{"query":"x"}' }),
    ],
  ])('of %s is ended at its bound, with `length`, and its stream is cancelled', async (_, part) => {
    const { call, settled } = setup([endless(part)])

    const parts = await call()

    expect(parts.length).toBeLessThan(500)
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: { unified: 'length' } })
    expect(settled).toEqual([{ cost: expect.anything() as CallCost, isKnown: false }])
    expect(settled[0]?.cost.usd).toBeGreaterThanOrEqual(reserved)
  })

  it('does not include a long answer within its bound', async () => {
    // 6.6 characters a token are the most that English has been seen to hold.
    const { call, settled } = setup([[{ type: 'text', text: 'documentation '.repeat(420) }, finishWith(100, 900)]])

    expect((await call()).at(-1)).toMatchObject({ finishReason: { unified: 'stop' } })
    // Once, and not by the upper bound of the observed output.
    expect(settled).toEqual([{ cost: { tokens: 1_000, usd: 0.0091 }, isKnown: true }])
  })
})

describe('a call that exceeds its bounds', () => {
  const turn = (text: string): ChatPrompt => [
    { role: 'user', content: [{ type: 'text', text }] },
    { role: 'assistant', content: [{ type: 'text', text }] },
  ]
  const passages = Array.from({ length: 40 }, (_, index) => ({ path: `/p${index}`, content: 'passage '.repeat(100) }))
  const long: ChatPrompt = [
    { role: 'system', content: 'Answer.' },
    ...turn('oldest '.repeat(1_000)),
    ...turn('newer '.repeat(1_000)),
    { role: 'user', content: [{ type: 'text', text: 'The question?' }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'search', input: {} }] },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: '1', toolName: 'search', output: { type: 'json', value: passages } },
      ],
    },
  ]
  const ask = async (promptTokens: number, bounds: Partial<CallBounds> = {}) => {
    const { call, model, reservations } = setup([[saySo]], { bounds: { promptTokens, ...bounds } })
    await call({ prompt: long })
    const [sent] = model.calls
    return { sent, text: JSON.stringify(sent?.prompt), reserved: reservations[0] }
  }

  it('loses its oldest history first, and none of its passages', async () => {
    const { text, reserved: most } = await ask(estimatePrompt(long) - 1)

    expect(text).not.toContain('oldest')
    expect(text).toContain('newer')
    expect(text).toContain('/p39')
    expect(most?.tokens).toBeLessThan(estimatePrompt(long) + 1_000)
  })

  it('then loses its last passages, and keeps instructions, question and call', async () => {
    const { text } = await ask(8_000)

    expect(text).not.toContain('newer')
    expect(text).toContain('/p0')
    expect(text).not.toContain('/p39')
    expect(text).toMatch(/Answer\..*The question\?.*"tool-call".*"tool-result"/)
  })

  it.each([500, 2_000, 8_000, 20_000, 40_000])('is never longer than %d tokens afterwards', async (promptTokens) => {
    const { sent } = await ask(promptTokens)

    expect(estimatePrompt(sent?.prompt ?? [])).toBeLessThanOrEqual(promptTokens)
  })

  it('is cut by cost: at most half for the output, the rest for the prompt', async () => {
    const { sent, reserved: most } = await ask(Infinity, { usd: 0.012 })

    expect(sent?.maxOutputTokens).toBe(600)
    expect(most?.usd).toBeLessThanOrEqual(0.012)
  })

  it('is refused if it may not be cut, or its question alone is too long', async () => {
    await expect(ask(8_000, { isPromptCut: false })).rejects.toMatchObject({ fault: 'ceiling' })
    await expect(ask(40)).rejects.toMatchObject({ fault: 'ceiling' })
    await expect(ask(Infinity, { usd: 0.0001 })).rejects.toMatchObject({ fault: 'ceiling' })
  })
})

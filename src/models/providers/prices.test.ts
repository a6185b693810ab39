import { describe, expect, it } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { priceUsage, findPrice, parsePrices, countWeightedTokens } from './prices.ts'

const usage = (input: number, output: number, cacheRead = 0, cacheWrite = 0) => ({
  inputTokens: { total: input, noCache: input - cacheRead - cacheWrite, cacheRead, cacheWrite },
  outputTokens: { total: output, text: output, reasoning: 0 },
})

describe('findPrice', () => {
  it.each([
    ['openai/gpt-5', 1.25],
    ['openai/gpt-5-2025-08-07', 1.25],
    ['openai-chat/gpt-4.1-mini', 0.4],
    ['anthropic/claude-sonnet-4-5-20250929', 3],
    ['google/gemini-3-pro-preview', 2],
    ['docent/offline', 0],
  ])('knows %s by its name and whatever revision', (id, input) => {
    expect(findPrice(id)?.input).toBe(input)
  })

  it.each(['openai/gpt-5-pro', 'openai/gpt-5.9', 'openai-compatible/gpt-5', 'google/gemini-2.5-flash-image', 'x/y'])(
    'knows nothing of %s, although a known name is like it',
    (id) => {
      expect(findPrice(id)).toBeNull()
    },
  )

  it('lets the settings take precedence, the longest prefix first', () => {
    const { modelPrices } = loadSettings({
      env: { DOCENT_MODEL_PRICES: 'openai/=9:9, openai/gpt-5=1:2:0.5, openai-compatible/qwen=0:0' },
    })
    const prices = parsePrices(modelPrices)

    expect(findPrice('openai/gpt-5-mini', prices)).toEqual({ input: 1, output: 2, cachedInput: 0.5 })
    expect(findPrice('openai/gpt-4o', prices)).toEqual({ input: 9, output: 9 })
    expect(findPrice('openai-compatible/qwen3:8b', prices)).toEqual({ input: 0, output: 0 })
  })

  it.each(['openai/gpt-5', 'openai/gpt-5=1', 'openai/gpt-5=a:b', 'gpt-5=1:2', 'openai/gpt-5=-1:2'])(
    'refuses the prices "%s"',
    (value) => {
      expect(() => loadSettings({ env: { DOCENT_MODEL_PRICES: value } })).toThrow('DOCENT_MODEL_PRICES is not a list')
    },
  )
})

it('weighs tokens without a price by what they usually cost', () => {
  expect(countWeightedTokens(usage(1_000_000, 5_000, 800_000, 100_000))).toBe(100_000 + 80_000 + 125_000 + 5_000)
  expect(countWeightedTokens(usage(0, 0))).toBeNull()
})

describe('priceUsage', () => {
  it('prices fresh, cached and written input and output by the million', () => {
    const price = { input: 2, output: 10, cachedInput: 0.5, cacheWrite: 4 }

    expect(priceUsage(usage(1_000_000, 100_000, 400_000, 200_000), price)).toBeCloseTo(0.8 + 0.2 + 0.8 + 1, 10)
  })

  it('is unknown without a price or a count', () => {
    const uncounted = { ...usage(1, 1), inputTokens: { total: undefined, noCache: 0, cacheRead: 0, cacheWrite: 0 } }

    expect(priceUsage(usage(1, 1), null)).toBeNull()
    expect(priceUsage(uncounted, { input: 1, output: 1 })).toBeNull()
  })
})

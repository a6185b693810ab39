import { expect, it } from 'vitest'
import { describeSpending } from './describe-spending.ts'

const ceilings = { usd: 5, tokens: 5_000_000 }

it('names the cost ceiling if a model has a price, and how to change and lift it', () => {
  const notes = describeSpending({ modelIds: ['openai/gpt-5', 'openai/gpt-5-mini'], prices: {}, ceilings })

  expect(notes).toEqual([
    'The answers of each site may cost $5 a day (UTC); beyond that, the offline model answers. Change this with DOCENT_SITE_COST_PER_DAY, or per site in its settings; "unlimited" lifts it.',
  ])
})

it('names each model without a known price once, and its token ceiling', () => {
  const notes = describeSpending({ modelIds: ['a/b', 'a/b', 'docent/offline'], prices: {}, ceilings })

  expect(notes).toEqual([
    'The price of a/b is not known, so each site may use 5,000,000 tokens of it a day (DOCENT_SITE_TOKENS_PER_DAY). Set its price in DOCENT_MODEL_PRICES, or 0:0 if it is free.',
  ])
})

it('says that nothing bounds the cost if both ceilings are lifted', () => {
  const unlimited = { usd: 'unlimited', tokens: 'unlimited' } as const
  const notes = describeSpending({ modelIds: ['openai/gpt-5', 'a/b'], prices: {}, ceilings: unlimited })

  expect(notes).toEqual([
    expect.stringMatching(/^The cost of a site's answers has no ceiling\./),
    expect.stringMatching(/^The price of a\/b is not known, so its cost has no limit/),
  ])
})

it('says nothing of models that cost nothing', () => {
  expect(describeSpending({ modelIds: ['docent/offline'], prices: {}, ceilings })).toEqual([])
})

import type { Ceiling } from '../contract/site-settings.ts'
import { offlineModelId } from '../models/offline/offline-model.ts'
import { findPrice, type PriceList, type TokenPrice } from '../models/prices.ts'
import { answerBounds } from './answer-bounds.ts'
import type { SiteCeilings } from './site-account.ts'

export interface SpendingInput {
  /** `provider/model` of all that may answer or rewrite. */
  modelIds: readonly string[]
  /** Prices that win over the list prices. */
  prices: PriceList
  ceilings: SiteCeilings
}

const millionTokens = 1_000_000

/** What operators are told of what the models of a site may cost, a sentence or two each. None where they cost nothing. */
export function describeSpending({ modelIds, prices, ceilings }: SpendingInput): string[] {
  const paid = [...new Set(modelIds)].filter((id) => id !== offlineModelId)
  const priced = paid.flatMap((id) => {
    const price = findPrice(id, prices)
    return price === null ? [] : [{ id, price }]
  })
  const unpriced = paid.filter((id) => findPrice(id, prices) === null)
  return [
    ...(priced.length > 0 ? [describeCeiling(ceilings.usd)] : []),
    ...priced.flatMap((model) => describeLowCeiling(model, ceilings.usd)),
    ...unpriced.map((id) => describeUnpriced(id, ceilings.tokens)),
  ]
}

function describeCeiling(usd: Ceiling): string {
  const how = 'Change it with DOCENT_SITE_COST_PER_DAY, or for one site in its settings'
  if (usd === 'none') return `What the answers of a site cost has no ceiling. ${how}.`
  return `The answers of each site may cost $${usd} a day (UTC); beyond that, the offline model answers. ${how}; "none" lifts it.`
}

function describeLowCeiling({ id, price }: { id: string; price: TokenPrice }, usd: Ceiling): string[] {
  const outputUsd = reserveForOutput(price)
  if (usd === 'none' || usd === 0 || outputUsd < usd) return []
  return [
    `${id} is never asked: a call reserves $${outputUsd.toFixed(2)} for its output alone, which a ceiling of $${usd} does not hold. Raise DOCENT_SITE_COST_PER_DAY, or use a cheaper model.`,
  ]
}

function reserveForOutput({ output }: TokenPrice): number {
  return Math.min(answerBounds.costUsd / 2, (answerBounds.outputTokens * output) / millionTokens)
}

function describeUnpriced(id: string, tokens: Ceiling): string {
  const bound =
    tokens === 'none'
      ? 'nothing bounds what it may cost (DOCENT_SITE_TOKENS_PER_DAY is "none")'
      : `each site may use ${tokens.toLocaleString('en')} tokens of it a day (DOCENT_SITE_TOKENS_PER_DAY)`
  return `The price of ${id} is not known, so ${bound}. Give its price in DOCENT_MODEL_PRICES; 0:0 where it costs nothing.`
}

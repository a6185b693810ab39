import type { Ceiling } from '../contract/site-settings.ts'
import { offlineModelId } from '../contract/model-providers.ts'
import { findPrice, type PriceList } from '../models/providers/prices.ts'
import type { SiteCeilings } from './site-account.ts'

export interface SpendingInput {
  /** `provider/model` of every model that may answer or rewrite. */
  modelIds: readonly string[]
  /** Prices that override the list prices. */
  prices: PriceList
  ceilings: SiteCeilings
}

/** Notes for operators on what a site's models may cost, a sentence or two each. Empty if they are free. */
export function describeSpending({ modelIds, prices, ceilings }: SpendingInput): string[] {
  const paid = [...new Set(modelIds)].filter((id) => id !== offlineModelId)
  const unpriced = paid.filter((id) => findPrice(id, prices) === null)
  return [
    ...(unpriced.length < paid.length ? [describeCeiling(ceilings.usd)] : []),
    ...unpriced.map((id) => describeUnpriced(id, ceilings.tokens)),
  ]
}

function describeCeiling(usd: Ceiling): string {
  const how = 'Change this with DOCENT_SITE_COST_PER_DAY, or per site in its settings'
  if (usd === 'unlimited') return `The cost of a site's answers has no ceiling. ${how}.`
  return `The answers of each site may cost $${usd} a day (UTC); beyond that, the offline model answers. ${how}; "unlimited" lifts it.`
}

function describeUnpriced(id: string, tokens: Ceiling): string {
  const bound =
    tokens === 'unlimited'
      ? 'its cost has no limit (DOCENT_SITE_TOKENS_PER_DAY is "unlimited")'
      : `each site may use ${tokens.toLocaleString('en')} tokens of it a day (DOCENT_SITE_TOKENS_PER_DAY)`
  return `The price of ${id} is not known, so ${bound}. Set its price in DOCENT_MODEL_PRICES, or 0:0 if it is free.`
}

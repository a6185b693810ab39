import { describeSpending } from '../assistant/describe-spending.ts'
import type { SiteCeilings } from '../assistant/site-account.ts'
import type { Settings } from '../config/settings.ts'
import { listFallbacks } from '../models/model-registry.ts'
import { parsePrices } from '../models/providers/prices.ts'

/** What a site may spend in a day by default. */
export function readSiteCeilings({
  siteCostPerDay,
  siteTokensPerDay,
}: Pick<Settings, 'siteCostPerDay' | 'siteTokensPerDay'>): SiteCeilings {
  return { usd: siteCostPerDay, tokens: siteTokensPerDay }
}

/** Sentences for operators on what the configured models may cost. */
export function describeSpendingOf(settings: Settings): string[] {
  const { model, rewriteModel, modelPrices } = settings
  return describeSpending({
    modelIds: [model, ...listFallbacks(settings), ...(rewriteModel === undefined ? [] : [rewriteModel])],
    prices: parsePrices(modelPrices),
    ceilings: readSiteCeilings(settings),
  })
}

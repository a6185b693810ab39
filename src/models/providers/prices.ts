import type { LanguageModelV4Usage } from '@ai-sdk/provider'
import {
  findProvider,
  isLocalModel,
  offlineModelId,
  providerNames,
  splitModelId,
} from '../../contract/model-providers.ts'
import { providerAdapters, type TokenPrice } from './provider-adapters.ts'

export type PriceList = Readonly<Record<string, TokenPrice>>

const millionTokens = 1_000_000

/** Suffixes that do not make it a different model: a date, `latest` or `preview`. */
const revision = /^(?:[-@](?:\d{4,}(?:-?\d+)*|latest|preview(?:-[\d-]+)?))?$/

/**
 * The price of a model.
 *
 * @param modelId `provider/model`.
 * @param overrides By prefix of the model id; the longest match wins and overrides the list prices.
 * @returns Null if unknown: a model with a similar name may cost ten times as much.
 */
export function findPrice(modelId: string, overrides: PriceList = {}): TokenPrice | null {
  const chosen = findLongest(Object.keys(overrides), (prefix) => modelId.startsWith(prefix))
  if (chosen !== null) return addCacheWrite(modelId, overrides[chosen] ?? null)
  if (modelId === offlineModelId || isLocalModel(modelId)) return { input: 0, output: 0 }
  const name = findProvider(modelId, providerNames)
  if (name === null) return null
  const { prices } = providerAdapters[name]
  const { model } = splitModelId(modelId)
  const known = findLongest(
    Object.keys(prices),
    (listed) => model.startsWith(listed) && revision.test(model.slice(listed.length)),
  )
  return known === null ? null : (prices[known] ?? null)
}

/** Where writing to the cache costs more than input, a price without it must not count too little. */
function addCacheWrite(modelId: string, price: TokenPrice | null): TokenPrice | null {
  const name = findProvider(modelId, providerNames)
  const factor = name === null ? undefined : providerAdapters[name].cacheWriteFactor
  if (price === null || factor === undefined) return price
  return { ...price, cacheWrite: price.cacheWrite ?? price.input * factor }
}

/** The longest of the names that fit, or null. */
export function findLongest(names: readonly string[], fits: (name: string) => boolean): string | null {
  return names.filter(fits).toSorted((a, b) => b.length - a.length)[0] ?? null
}

/** @returns US dollars; null if the price is unknown or the provider did not count its tokens. */
export function priceUsage(
  { inputTokens, outputTokens }: Pick<LanguageModelV4Usage, 'inputTokens' | 'outputTokens'>,
  price: TokenPrice | null,
): number | null {
  const tokens = readTokens({ inputTokens, outputTokens })
  if (price === null || tokens === null) return null
  const { fresh, cached, written } = splitInput(inputTokens, tokens.input)
  const input =
    fresh * price.input + cached * (price.cachedInput ?? price.input) + written * (price.cacheWrite ?? price.input)
  return (input + tokens.output * price.output) / millionTokens
}

/** What input costs beside fresh input, as most providers price it. */
const usualWeights = { cached: 0.1, written: 1.25 }

/**
 * Tokens weighed by what they cost, for models without a known price: input from the provider's cache counts a tenth,
 * input written to it a quarter more.
 *
 * @returns Null if the provider did not count its tokens.
 */
export function countWeightedTokens({
  inputTokens,
  outputTokens,
}: Pick<LanguageModelV4Usage, 'inputTokens' | 'outputTokens'>): number | null {
  const tokens = readTokens({ inputTokens, outputTokens })
  if (tokens === null) return null
  const { fresh, cached, written } = splitInput(inputTokens, tokens.input)
  return Math.ceil(fresh + cached * usualWeights.cached + written * usualWeights.written + tokens.output)
}

function splitInput({ cacheRead, cacheWrite }: LanguageModelV4Usage['inputTokens'], total: number) {
  const cached = Math.max(0, cacheRead ?? 0)
  const written = Math.max(0, cacheWrite ?? 0)
  return { fresh: Math.max(0, total - cached - written), cached, written }
}

/** No call has more tokens; a higher count is an error of the provider. */
const tokensMax = 100_000_000

/** Whether a count of tokens can be true. */
export function isTokenCount(count: number): boolean {
  return Number.isFinite(count) && count >= 0 && count <= tokensMax
}

/** @returns Null if the provider did not count: prompts have tokens, and counts are possible. */
export function readTokens({
  inputTokens,
  outputTokens,
}: Pick<LanguageModelV4Usage, 'inputTokens' | 'outputTokens'>): { input: number; output: number } | null {
  const { total: input = 0 } = inputTokens
  const { total: output = -1 } = outputTokens
  const isCounted = input > 0 && isTokenCount(input) && isTokenCount(output)
  return isCounted ? { input, output } : null
}

/**
 * Parses the setting: `provider/model=INPUT:OUTPUT`, `…:CACHED` and `…:CACHED:WRITTEN`, separated by commas. Its format
 * was validated when it was loaded.
 */
export function parsePrices(text: string | undefined): PriceList {
  const entries = (text ?? '').split(',').flatMap((entry) => {
    const [name, prices] = entry.trim().split('=')
    if (name === undefined || name === '' || prices === undefined) return []
    const [input = 0, output = 0, cachedInput, cacheWrite] = prices.split(':').map(Number)
    const ofCache = {
      ...(cachedInput !== undefined && { cachedInput }),
      ...(cacheWrite !== undefined && { cacheWrite }),
    }
    return [[name, { input, output, ...ofCache }] as const]
  })
  return Object.fromEntries(entries)
}

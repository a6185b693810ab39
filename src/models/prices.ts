import type { LanguageModelV4Usage } from '@ai-sdk/provider'

/** US dollars for a million tokens. */
export interface TokenPrice {
  input: number
  output: number
  /** Input that the provider had cached; `input` where it is not given. */
  cachedInput?: number
  /** Input that the provider put into its cache; `input` where it is not given. */
  cacheWrite?: number
}

export type PriceList = Readonly<Record<string, TokenPrice>>

const millionTokens = 1_000_000

/** Published list prices of the standard tier, for prompts of up to 200,000 tokens. The setting `DOCENT_MODEL_PRICES` wins over them. */
const listPrices: PriceList = {
  'openai/gpt-5.1': { input: 1.25, output: 10, cachedInput: 0.125 },
  'openai/gpt-5': { input: 1.25, output: 10, cachedInput: 0.125 },
  'openai/gpt-5-mini': { input: 0.25, output: 2, cachedInput: 0.025 },
  'openai/gpt-5-nano': { input: 0.05, output: 0.4, cachedInput: 0.005 },
  'openai/gpt-4.1': { input: 2, output: 8, cachedInput: 0.5 },
  'openai/gpt-4.1-mini': { input: 0.4, output: 1.6, cachedInput: 0.1 },
  'openai/gpt-4.1-nano': { input: 0.1, output: 0.4, cachedInput: 0.025 },
  'openai/gpt-4o': { input: 2.5, output: 10, cachedInput: 1.25 },
  'openai/gpt-4o-mini': { input: 0.15, output: 0.6, cachedInput: 0.075 },
  'anthropic/claude-opus-4-5': { input: 5, output: 25, cachedInput: 0.5, cacheWrite: 6.25 },
  'anthropic/claude-sonnet-4-5': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  'anthropic/claude-sonnet-4': { input: 3, output: 15, cachedInput: 0.3, cacheWrite: 3.75 },
  'anthropic/claude-haiku-4-5': { input: 1, output: 5, cachedInput: 0.1, cacheWrite: 1.25 },
  'google/gemini-3-pro': { input: 2, output: 12, cachedInput: 0.2 },
  'google/gemini-2.5-pro': { input: 1.25, output: 10, cachedInput: 0.125 },
  'google/gemini-2.5-flash': { input: 0.3, output: 2.5, cachedInput: 0.03 },
  'google/gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cachedInput: 0.01 },
  'openai/text-embedding-3-small': { input: 0.02, output: 0 },
  'openai/text-embedding-3-large': { input: 0.13, output: 0 },
  'openai/text-embedding-ada-002': { input: 0.1, output: 0 },
  'google/gemini-embedding-001': { input: 0.15, output: 0 },
  'docent/offline': { input: 0, output: 0 },
}

/** What may follow the name of a model and leave it the same model: a date, `latest` or `preview`. */
const revision = /^(?:[-@](?:\d{4,}(?:-?\d+)*|latest|preview(?:-[\d-]+)?))?$/

/**
 * The price of a model.
 *
 * @param modelId `provider/model`.
 * @param overrides By the beginning of the model id; the longest that fits wins, over the list prices too.
 * @returns Null when it is not known: a model of a similar name may cost ten times as much.
 */
export function findPrice(modelId: string, overrides: PriceList = {}): TokenPrice | null {
  const chosen = findLongest(Object.keys(overrides), (prefix) => modelId.startsWith(prefix))
  if (chosen !== null) return overrides[chosen] ?? null
  const listed = modelId.replace(/^openai-chat\//, 'openai/')
  const known = findLongest(
    Object.keys(listPrices),
    (name) => listed.startsWith(name) && revision.test(listed.slice(name.length)),
  )
  return known === null ? null : (listPrices[known] ?? null)
}

function findLongest(names: readonly string[], fits: (name: string) => boolean): string | null {
  return names.filter(fits).toSorted((a, b) => b.length - a.length)[0] ?? null
}

/** @returns US dollars; null when the price is not known or the provider did not count its tokens. */
export function costOfUsage(
  { inputTokens, outputTokens }: Pick<LanguageModelV4Usage, 'inputTokens' | 'outputTokens'>,
  price: TokenPrice | null,
): number | null {
  const tokens = readTokens({ inputTokens, outputTokens })
  if (price === null || tokens === null) return null
  const cached = Math.max(0, inputTokens.cacheRead ?? 0)
  const written = Math.max(0, inputTokens.cacheWrite ?? 0)
  const fresh = Math.max(0, tokens.input - cached - written)
  const input =
    fresh * price.input + cached * (price.cachedInput ?? price.input) + written * (price.cacheWrite ?? price.input)
  return (input + tokens.output * price.output) / millionTokens
}

/** @returns Null when the provider did not count: no prompt is of 0 tokens, and no count is negative or no number. */
export function readTokens({
  inputTokens,
  outputTokens,
}: Pick<LanguageModelV4Usage, 'inputTokens' | 'outputTokens'>): { input: number; output: number } | null {
  const { total: input = 0 } = inputTokens
  const { total: output = -1 } = outputTokens
  const isCounted = Number.isFinite(input) && input > 0 && Number.isFinite(output) && output >= 0
  return isCounted ? { input, output } : null
}

/**
 * Reads the setting: `provider/model=INPUT:OUTPUT` or `…=INPUT:OUTPUT:CACHED`, separated by commas. Its shape was
 * checked when it was loaded.
 */
export function parsePrices(text: string | undefined): PriceList {
  const entries = (text ?? '').split(',').flatMap((entry) => {
    const [name, prices] = entry.trim().split('=')
    if (name === undefined || name === '' || prices === undefined) return []
    const [input = 0, output = 0, cachedInput] = prices.split(':').map(Number)
    return [[name, { input, output, ...(cachedInput !== undefined && { cachedInput }) }] as const]
  })
  return Object.fromEntries(entries)
}

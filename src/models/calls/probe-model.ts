import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import type { ModelCheckItem } from '../../contract/model-settings.ts'
import { nameModel } from '../../contract/model-providers.ts'
import type { TokenPrice } from '../providers/provider-adapters.ts'
import { readTokens } from '../providers/prices.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import type { BilledModel } from './model-account.ts'
import { describeFault } from './check-model.ts'
import { estimateCall } from './estimate-tokens.ts'
import { priceTokens } from './fit-call.ts'
import { explainFailure } from './model-attempt.ts'
import { type ProbeCalls, writeProbeCalls } from './probe-calls.ts'

export interface ProbeDeps {
  now(): number
  /** In [0, 1). */
  random(): number
}

export interface CheckedModel {
  model: BilledModel
  /** Null if none is configured or only another model is checked. */
  embedding: EmbeddingModel | null
  price: TokenPrice | null
}

/**
 * Tries out what a model can do, in at most five calls. The first one that fails ends the probe.
 *
 * @throws The reason of `signal` when that aborts.
 */
export async function* probeModel(
  deps: ProbeDeps,
  model: ChatModel,
  signal: AbortSignal,
): AsyncGenerator<ModelCheckItem> {
  const calls = writeProbeCalls(deps.random())
  const call = (options: LanguageModelV4CallOptions) => callOnce(deps, model, { ...options, abortSignal: signal })
  const first = await call(calls.streaming)
  yield describeConnection(model, first)
  if (first.failure !== null) return
  yield describeStreaming(first)
  yield describeUsage(first)
  yield* first.warnings.map((warning) => report('options', 'missing', `An option is not taken. ${warning}`))
  yield describeTools(await call(calls.tools))
  await call(calls.caching)
  yield describeCaching(await call(calls.caching))
  yield describeImages(await call(calls.images), calls.color)
}

/** @returns A sentence on the most that a probe can cost. */
export function estimateProbe(modelId: string, price: TokenPrice | null): string {
  const { streaming, tools, images, caching }: ProbeCalls = writeProbeCalls(0)
  const calls = [streaming, tools, caching, caching, images]
  const inputTokens = calls.reduce((sum, options) => sum + estimateCall(options, modelId), 0)
  const outputTokens = calls.reduce((sum, { maxOutputTokens = 0 }) => sum + maxOutputTokens, 0)
  const { usd } = priceTokens(price, { inputTokens, outputTokens })
  const cost = usd === null ? 'its price is unknown' : `at most $${usd.toFixed(2)}`
  return `Testing ${modelId} takes five calls with at most ${inputTokens} tokens of input and ${outputTokens} of output: ${cost}.`
}

interface Outcome {
  failure: string | null
  text: string
  /** Pieces in which the reply came. */
  pieces: number
  toolInputs: string[]
  usage: Extract<ChatStreamPart, { type: 'finish' }>['usage'] | null
  warnings: string[]
  firstMs: number
  tookMs: number
}

async function callOnce(deps: ProbeDeps, model: ChatModel, options: LanguageModelV4CallOptions): Promise<Outcome> {
  const startedAtMs = deps.now()
  const outcome: Outcome = {
    failure: null,
    text: '',
    pieces: 0,
    toolInputs: [],
    usage: null,
    warnings: [],
    firstMs: 0,
    tookMs: 0,
  }
  try {
    const { stream } = await model.doStream(options)
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (outcome.pieces === 0) outcome.firstMs = deps.now() - startedAtMs
      readPart(outcome, part)
    }
  } catch (error) {
    options.abortSignal?.throwIfAborted()
    outcome.failure = describeFault(explainFailure(error, model, deps.now()))
  }
  outcome.tookMs = deps.now() - startedAtMs
  return outcome
}

function readPart(outcome: Outcome, part: ChatStreamPart): void {
  if (part.type === 'text-delta') outcome.text += part.delta
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') outcome.pieces++
  if (part.type === 'tool-call' && part.toolName === 'report_number') outcome.toolInputs.push(part.input)
  if (part.type === 'finish') outcome.usage = part.usage
  if (part.type === 'stream-start') outcome.warnings = part.warnings.map(describeWarning)
}

type Warning = Extract<ChatStreamPart, { type: 'stream-start' }>['warnings'][number]

function describeWarning(warning: Warning): string {
  if (warning.type === 'other') return warning.message
  return 'feature' in warning ? `${warning.feature}: ${warning.details ?? 'it is not supported.'}` : warning.message
}

const report = (check: ModelCheckItem['check'], state: ModelCheckItem['state'], message: string): ModelCheckItem => {
  return { check, state, message }
}

function describeConnection(model: ChatModel, { failure, tookMs }: Outcome): ModelCheckItem {
  if (failure !== null) return report('connection', 'failed', failure)
  return report('connection', 'works', `${nameModel(model)} accepts the key and answered in ${tookMs} ms.`)
}

function describeStreaming({ pieces, firstMs }: Outcome): ModelCheckItem {
  if (pieces > 1)
    return report('streaming', 'works', `The reply came in ${pieces} pieces, the first after ${firstMs} ms.`)
  return report('streaming', 'missing', 'The reply came in one piece, so readers wait for the whole answer.')
}

function describeUsage({ usage }: Outcome): ModelCheckItem {
  const tokens = usage === null ? null : readTokens(usage)
  if (tokens !== null)
    return report('usage', 'works', `It reports its tokens: ${tokens.input} in, ${tokens.output} out.`)
  return report('usage', 'missing', 'It reports no tokens, so each call counts as the most that it could cost.')
}

function describeTools({ failure, toolInputs }: Outcome): ModelCheckItem {
  if (toolInputs.some((input) => /"number"\s*:\s*"?7\b/.test(input))) {
    return report('tools', 'works', 'It calls tools with the right input.')
  }
  const reason = failure ?? 'It did not call the tool that it was asked to call.'
  const advice =
    'Name the model in DOCENT_MODELS_WITHOUT_TOOLS to put the passages into its prompt. Agent jobs need another model.'
  return report('tools', 'missing', `${reason} ${advice}`)
}

function describeCaching({ failure, usage }: Outcome): ModelCheckItem {
  const cached = usage?.inputTokens.cacheRead ?? 0
  if (cached > 0) return report('prompt caching', 'works', `A repeated prompt read ${cached} tokens from the cache.`)
  const reason = failure ?? 'A repeated prompt read no tokens from a cache, or they are not reported.'
  return report('prompt caching', 'missing', `${reason} Every step of an answer costs its full price.`)
}

function describeImages({ failure, text }: Outcome, color: string): ModelCheckItem {
  if (text.toLowerCase().includes(color)) return report('images', 'works', 'It sees images.')
  return report(
    'images',
    'missing',
    failure ?? 'It does not see what an image shows. Images in questions are not understood.',
  )
}

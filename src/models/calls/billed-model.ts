import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { nameModel } from '../../contract/model-providers.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { countLeastTokens, estimateTokens } from './estimate-tokens.ts'
import { priceTokens, fitCall, type FittedCall } from './fit-call.ts'
import type { BilledModel, CallCost, CostReservation, ModelAccount } from './model-account.ts'
import { ModelCallError } from './model-call-error.ts'
import { createPartStream } from './part-stream.ts'
import { priceUsage, findPrice, type PriceList, readTokens, countWeightedTokens } from '../providers/prices.ts'
import type { TokenPrice } from '../providers/provider-adapters.ts'
import { boundOutput } from '../providers/call-options.ts'
import { readRefusal } from './read-refusal.ts'
import { wrapModel } from './wrap-model.ts'

export interface BillModelDeps {
  log: Log
  /** Without it, nothing is measured. */
  metrics?: Metrics
  /** Prices that override the list prices. */
  prices?: PriceList
  /** Most output tokens of any call. */
  outputTokensMax?: number | undefined
  /** Most input tokens of a call; 128,000 by default. */
  contextTokens?: number
}

type FinishPart = Extract<ChatStreamPart, { type: 'finish' }>

/** Most by which an overcharge raises the reservations of the next calls. */
const overrunMax = 10
/** Overhead of a tool call besides its name and input. */
const toolCallTokens = 4

/**
 * Wraps a provider's model directly: reserves the maximum cost of a call, calls the model within it, and settles the
 * actual cost. A call that breaks off, or whose usage is not reported, keeps its reservation.
 *
 * The finish part says in `providerMetadata.docent` which model answered (`model`) and what the call cost in US dollars
 * (`costUsd`, null if unknown) and in weighed tokens (`spentTokens`). A model that exceeds its output bound is stopped there, with `length` as the reason.
 *
 * Fails with a `ModelCallError`, `ceiling`, when a call exceeds the bounds of its account, or the account cannot cover
 * its maximum cost.
 */
export function billModel(deps: BillModelDeps, model: ChatModel): BilledModel {
  const { provider, modelId } = model
  const bill: Bill = { ...deps, model, id: nameModel(model), price: null, overrun: 1 }
  bill.price = findPrice(bill.id, deps.prices)
  return {
    provider,
    modelId,
    contextTokens: deps.contextTokens ?? 128_000,
    billTo: (account) => wrapModel(model, (options) => callModel(bill, account, options)),
  }
}

/** A free model: one of the built-in ones. */
export function createFreeModel(model: ChatModel): BilledModel {
  return { provider: model.provider, modelId: model.modelId, contextTokens: Infinity, billTo: () => model }
}

interface Bill extends BillModelDeps {
  model: ChatModel
  /** `provider/model`. */
  id: string
  /** Null if unknown. */
  price: TokenPrice | null
  /** Factor by which the provider has exceeded its reservations. */
  overrun: number
}

async function callModel(
  bill: Bill,
  account: ModelAccount,
  options: LanguageModelV4CallOptions,
): Promise<Awaited<ReturnType<ChatModel['doStream']>>> {
  const { model, id, price, outputTokensMax } = bill
  const fitted = fitCall(boundOutput(options, { outputTokensMax }), account.readBounds(), price, id)
  if (fitted === null) {
    throw new ModelCallError({ fault: 'ceiling', modelId: id, message: 'The call could exceed its cost limit.' })
  }
  const most = multiply(priceTokens(price, fitted), bill.overrun)
  const reservation = await account.reserve(most)
  if (reservation === null) {
    throw new ModelCallError({ fault: 'ceiling', modelId: id, message: 'The daily ceiling is reached.' })
  }
  const counts = { outputMost: 0, outputLeast: 0, toolInputs: new Set<string>(), isSettled: false }
  const call: OpenCall = { bill, fitted, most, reservation, ...counts }
  try {
    options.abortSignal?.throwIfAborted()
  } catch (reason) {
    await settle(call, { tokens: 0, usd: 0 }, true)
    throw reason
  }
  try {
    const opened = await model.doStream(fitted.options)
    return { ...opened, stream: meter(call, opened.stream) }
  } catch (error) {
    await settleRefusal(call, error)
    throw error
  }
}

interface OpenCall {
  bill: Bill
  fitted: FittedCall
  most: CallCost
  reservation: CostReservation
  /** Upper and lower bounds of the output tokens so far. */
  outputMost: number
  outputLeast: number
  /** Ids of the tool calls that were streamed in pieces. */
  toolInputs: Set<string>
  /** A stream may end after its finish part, which has already settled the call. */
  isSettled: boolean
}

async function settleRefusal(call: OpenCall, error: unknown): Promise<void> {
  const refusal = readRefusal(error)
  if (refusal === 'free') return settle(call, { tokens: 0, usd: 0 }, true)
  const ofPrompt = priceTokens(call.bill.price, { ...call.fitted, outputTokens: 0 })
  if (refusal === 'prompt') return settle(call, ofPrompt, false)
  call.reservation.breakOff?.(ofPrompt)
}

/** Never rejects: an unsettled cost stays reserved. */
async function settle(call: OpenCall, cost: CallCost, isKnown: boolean): Promise<void> {
  if (call.isSettled) return
  call.isSettled = true
  const { bill, reservation } = call
  try {
    await reservation.settle(cost, isKnown)
  } catch (error) {
    bill.log.warn({ error, model: bill.id }, 'spending-not-settled')
  }
}

/** Forwards a stream part by part on demand, and ends it when the output exceeds its bound. */
function meter(call: OpenCall, stream: ReadableStream<ChatStreamPart>): ReadableStream<ChatStreamPart> {
  const reader = stream.getReader()
  let isCut = false
  return createPartStream({
    async read() {
      if (isCut) return { done: true, value: undefined }
      const next = await readOrSettle(call, reader)
      if (next.done) {
        await settleUnknown(call)
        return next
      }
      const part = next.value
      countOutput(call, part)
      if (part.type === 'finish') return { done: false, value: await finish(call, part) }
      if (call.outputLeast <= call.fitted.outputTokens) return next
      isCut = true
      reader.cancel(new Error('The model exceeded its output bound.')).catch(() => undefined)
      call.bill.log.warn({ model: call.bill.id, outputTokensMax: call.fitted.outputTokens }, 'model-output-cut')
      return { done: false, value: await finish(call, cutFinish) }
    },
    async cancel(reason) {
      // Ends a pending read at once.
      const cancelled = reader.cancel(reason)
      await settleUnknown(call)
      await cancelled
    },
  })
}

async function readOrSettle(call: OpenCall, reader: ReadableStreamDefaultReader<ChatStreamPart>) {
  try {
    return await reader.read()
  } catch (error) {
    await settleUnknown(call)
    throw error
  }
}

function countOutput(call: OpenCall, part: ChatStreamPart): void {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta' || part.type === 'tool-input-delta') {
    call.outputMost += estimateTokens(part.delta)
    call.outputLeast += countLeastTokens(part.delta)
  } else if (part.type === 'tool-input-start') {
    call.toolInputs.add(part.id)
    countToolCall(call, part.toolName)
  } else if (part.type === 'tool-call' && !call.toolInputs.has(part.toolCallId)) {
    countToolCall(call, part.toolName + part.input)
  }
}

function countToolCall(call: OpenCall, text: string): void {
  call.outputMost += toolCallTokens + estimateTokens(text)
  call.outputLeast += toolCallTokens + countLeastTokens(text)
}

const unknownUsage: FinishPart['usage'] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
const cutFinish: FinishPart = {
  type: 'finish',
  finishReason: { unified: 'length', raw: 'cut' },
  usage: unknownUsage,
}

async function finish(call: OpenCall, part: FinishPart): Promise<FinishPart> {
  const { id, price, metrics } = call.bill
  const counted = readTokens(part.usage)
  // Servers that do not count report 0.
  const tokens = counted?.output === 0 && call.outputLeast > 0 ? null : counted
  const costUsd = tokens === null ? null : priceUsage(part.usage, price)
  const weighed = tokens === null ? null : countWeightedTokens(part.usage)
  if (weighed === null) await settleUnknown(call)
  else {
    const cost = { tokens: weighed, usd: costUsd }
    noteOverrun(call, cost)
    await settle(call, cost, true)
  }
  if (metrics !== undefined) countUse(metrics, id, { tokens, costUsd })
  const spentTokens = weighed ?? priceSeen(call).tokens
  const docent = { ...part.providerMetadata?.['docent'], model: id, costUsd, spentTokens }
  return { ...part, providerMetadata: { ...part.providerMetadata, docent } }
}

/** Keeps the reservation, and adds to it if the output certainly exceeded its bound. */
async function settleUnknown(call: OpenCall): Promise<void> {
  const { fitted, most, outputLeast, isSettled } = call
  if (isSettled) return
  const seen = priceSeen(call)
  if (outputLeast <= fitted.outputTokens) {
    call.isSettled = true
    return call.reservation.breakOff?.(seen)
  }
  await settle(call, { tokens: Math.max(seen.tokens, most.tokens), usd: largest(seen.usd, most.usd) }, false)
}

/** An upper bound of the cost of the prompt and of the output so far. */
function priceSeen({ bill, fitted, outputMost }: OpenCall): CallCost {
  return priceTokens(bill.price, { ...fitted, outputTokens: outputMost })
}

function largest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : Math.max(a, b)
}

/** A provider that overcharged is expected to do so again: its next reservations are larger. */
function noteOverrun({ bill, most }: OpenCall, cost: CallCost): void {
  const reserved = (most.usd ?? most.tokens) / bill.overrun
  const factor = (cost.usd ?? cost.tokens) / reserved
  if (!(factor > bill.overrun) || bill.overrun === overrunMax) return
  bill.overrun = Math.min(overrunMax, factor)
  bill.log.warn({ model: bill.id, factor: bill.overrun }, 'model-cost-more-than-reserved')
}

function multiply({ tokens, usd }: CallCost, factor: number): CallCost {
  return { tokens: Math.ceil(tokens * factor), usd: usd === null ? null : usd * factor }
}

function countUse(
  metrics: Metrics,
  model: string,
  { tokens, costUsd }: { tokens: { input: number; output: number } | null; costUsd: number | null },
): void {
  metrics.add('docent_model_calls_total', { model })
  metrics.add('docent_model_tokens_total', { model, direction: 'input' }, tokens?.input ?? 0)
  metrics.add('docent_model_tokens_total', { model, direction: 'output' }, tokens?.output ?? 0)
  if (costUsd !== null) metrics.add('docent_model_cost_usd_total', { model }, costUsd)
}

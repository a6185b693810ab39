import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { rejectOnAbort } from '../../base/reject-on-abort.ts'
import { nameModel } from '../../contract/model-providers.ts'
import { CallWatch, ModelTimeoutError, type WatchDeps } from './call-watch.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import { openStream } from './open-stream.ts'
import { type PartReader, readParts } from './part-stream.ts'
import { ModelCallError, readModelCallError } from './model-call-error.ts'

/** Time limits of one model call, in milliseconds. */
export interface ModelLimits {
  /** Until the first token of the answer, including connecting. */
  firstTokenMs: number
  /** Between two parts of the answer. */
  silenceMs: number
  /** Time limit of the whole call, including retries, fallbacks and waiting. */
  callMs: number
}

export interface AttemptInput {
  model: ChatModel
  options: LanguageModelV4CallOptions
  limits: ModelLimits
  /** The deadline of the whole call. */
  endsAtMs: number
}

/** A stream that has produced its first token, or ended without one and without a failure (`isEmpty`). */
export interface OpenAttempt {
  /** Up to and including the first token. */
  parts: ChatStreamPart[]
  isEmpty: boolean
  reader: PartReader
  /** Limits the rest of the stream. Stop it when the stream ends. */
  watch: CallWatch
  /** Aborts with the caller's signal or when a time limit expires. */
  signal: AbortSignal
}

/**
 * Calls a model once and reads up to its first token. A call that fails before that can be repeated elsewhere without
 * the reader noticing.
 *
 * @throws {ModelCallError} when it fails.
 * @throws The reason of the caller's signal when that aborts.
 */
export async function openAttempt(deps: WatchDeps, input: AttemptInput): Promise<OpenAttempt> {
  const { model, options, limits } = input
  const watch = new CallWatch(deps, input.endsAtMs)
  const signal = options.abortSignal ? AbortSignal.any([options.abortSignal, watch.signal]) : watch.signal
  watch.expect({ limitMs: limits.firstTokenMs, message: 'The model did not begin to answer in time.' })
  try {
    const reader = readParts(await openStream(model, { ...options, abortSignal: signal }, signal))
    const start = await readFirstToken(reader, signal)
    watch.expect({ limitMs: limits.silenceMs, message: 'The model stopped responding.' })
    watch.pause()
    return { ...start, reader, watch, signal }
  } catch (error) {
    watch.stop()
    options.abortSignal?.throwIfAborted()
    throw explainFailure(signal.aborted ? signal.reason : error, model, deps.clock.now())
  }
}

async function readFirstToken(
  reader: PartReader,
  signal: AbortSignal,
): Promise<Pick<OpenAttempt, 'parts' | 'isEmpty'>> {
  const parts: ChatStreamPart[] = []
  try {
    for (;;) {
      const { done, value: part } = await rejectOnAbort(reader.read(), signal)
      if (done) throw new BrokenStreamError()
      const failure = findFailure(part)
      if (failure !== null) throw failure.cause
      parts.push(part)
      if (part.type === 'finish') return { parts, isEmpty: true }
      if (isToken(part)) return { parts, isEmpty: false }
    }
  } catch (error) {
    reader.cancel(error).catch(() => undefined)
    throw error
  }
}

/** A stream ended in the middle of an answer. */
export class BrokenStreamError extends Error {
  override readonly name = 'BrokenStreamError'

  constructor() {
    super("The model's stream ended in the middle of the answer.")
  }
}

/** The failure that a part reports, or null. Provider packages report a reply that broke off as `interrupted`. */
export function findFailure(part: ChatStreamPart): { cause: unknown } | null {
  if (part.type === 'error') return { cause: part.error }
  if (part.type !== 'finish') return null
  const { unified, raw } = part.finishReason
  const isBroken = unified === 'interrupted' || unified === 'error' || (unified === 'other' && raw === undefined)
  return isBroken ? { cause: new BrokenStreamError() } : null
}

function isToken(part: ChatStreamPart): boolean {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.delta !== ''
  return part.type === 'tool-input-start' || part.type === 'tool-call'
}

/** @returns The failure without anything that was sent. */
export function explainFailure(error: unknown, model: ChatModel, nowMs: number): ModelCallError {
  const modelId = nameModel(model)
  if (error instanceof ModelTimeoutError) {
    return new ModelCallError({ fault: 'timeout', modelId, message: error.message })
  }
  if (error instanceof BrokenStreamError) {
    return new ModelCallError({ fault: 'broken', modelId, message: error.message })
  }
  return readModelCallError(error, modelId, nowMs)
}

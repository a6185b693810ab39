import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { nameModel } from '../../contract/model-providers.ts'
import type { Log } from '../../telemetry/log.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { activeSpan } from '../../telemetry/work-context.ts'
import type { WatchDeps } from './call-watch.ts'
import type { ChatModel, ChatStreamPart } from '../chat-model.ts'
import {
  BrokenStreamError,
  explainFailure,
  findFailure,
  type ModelLimits,
  openAttempt,
  type OpenAttempt,
} from './model-attempt.ts'
import { ModelCallError } from './model-call-error.ts'
import type { ReadingPace } from './reading-pace.ts'
import { isRestartAccepted, restartOnFailure } from './restarting-stream.ts'
import { type Patience, retryDelay } from './retry-delay.ts'
import { wrapModel } from './wrap-model.ts'

export interface ResilientModelDeps extends WatchDeps {
  /** In [0, 1), for the jitter of delays. */
  random(): number
  log: Log
  /** Without it, nothing is measured. */
  metrics?: Metrics
  /** Paces the reading of providers' streams. Without it, every piece is read at once. */
  pace?: ReadingPace
}

export interface ResilientModelInput {
  /** In the order in which they are tried. The resilient model uses the name of the first. */
  models: readonly [ChatModel, ...ChatModel[]]
  limits: ModelLimits
  /** Retries per model, 0 or more. */
  retriesMax: number
  /** With `working`, pauses are longer, timeouts are retried, and a stream that broke is repeated. */
  patience?: Patience
}

/**
 * Tries several models in order until one of them produces a first token.
 *
 * After that token a failure ends the stream, because a second model cannot continue the first one's text. If the caller
 * accepts restarts, the same model is asked again if its patience allows that, then the models after it, and the stream
 * says so by `restartedPart`.
 *
 * Fails with a `ModelCallError`; aborts with the reason of the caller's signal.
 */
export function createResilientModel(deps: ResilientModelDeps, input: ResilientModelInput): ChatModel {
  const [first] = input.models
  return wrapModel({ ...first, supportedUrls: {} }, async (options) => {
    options.abortSignal?.throwIfAborted()
    const endsAtMs = deps.clock.now() + input.limits.callMs
    return { stream: await openStream({ deps, input, options, endsAtMs }) }
  })
}

interface Call {
  deps: ResilientModelDeps
  input: ResilientModelInput
  options: LanguageModelV4CallOptions
  endsAtMs: number
}

async function openStream(call: Call): Promise<ReadableStream<ChatStreamPart>> {
  const { input, options } = call
  let answering = await findAnswering(call)
  const stream = passOn({ ...call, ...answering })
  if (!isRestartAccepted(options)) return stream
  let restarts = 0
  return restartOnFailure(stream, async (failure) => {
    if (!(failure instanceof ModelCallError)) return null
    const isRepeated = input.patience === 'working' && (await pauseForRetry(call, failure, restarts))
    restarts = isRepeated ? restarts + 1 : 0
    const [next, ...others] = input.models.slice(input.models.indexOf(answering.model) + (isRepeated ? 0 : 1))
    if (next === undefined) return null
    if (!isRepeated) noteFallback(call, failure, next)
    const reopened = await findAnswering({ ...call, input: { ...input, models: [next, ...others] } }).catch(() => null)
    if (reopened === null) return null
    answering = reopened
    return passOn({ ...call, ...reopened })
  })
}

interface Answering {
  model: ChatModel
  attempt: OpenAttempt
}

/**
 * @throws {ModelCallError} if no model produced a token: `ceiling` if one of them could not be paid for, else the last
 *   failure.
 */
async function findAnswering(call: Call): Promise<Answering> {
  const { input, deps, options } = call
  let failure: ModelCallError | null = null
  let ceiling: ModelCallError | null = null
  for (const [index, model] of input.models.entries()) {
    const next = input.models[index + 1]
    try {
      const attempt = await callWithRetries(call, model)
      if (!attempt.isEmpty || next === undefined) return { model, attempt }
      deps.log.warn({ model: nameModel(model), next: nameModel(next) }, 'model-answered-nothing')
      deps.metrics?.add('docent_model_fallbacks_total', { model: nameModel(model) })
      attempt.watch.stop()
      attempt.reader.cancel().catch(() => undefined)
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error
      options.abortSignal?.throwIfAborted()
      failure = error
      if (error.fault === 'ceiling') ceiling = error
      if (next === undefined || deps.clock.now() >= call.endsAtMs) throw ceiling ?? error
      noteFallback(call, error, next)
    }
  }
  throw failure ?? new RangeError('A resilient model needs at least one model.')
}

function noteFallback({ deps }: Call, failure: ModelCallError, next: ChatModel): void {
  const { modelId } = failure
  deps.metrics?.add('docent_model_fallbacks_total', { model: modelId })
  activeSpan()?.note('model-fell-back', { 'docent.model': modelId, 'docent.next': nameModel(next) })
  deps.log.warn({ ...describeFailure(failure), next: nameModel(next) }, 'model-fell-back')
}

async function callWithRetries(call: Call, model: ChatModel): Promise<OpenAttempt> {
  const { deps, input, options, endsAtMs } = call
  for (let retry = 0; ; retry++) {
    try {
      return await openAttempt(deps, { model, options, limits: input.limits, endsAtMs })
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error
      // No model was called, so this is not counted as a failure.
      if (error.fault === 'ceiling') throw error
      deps.metrics?.add('docent_model_failures_total', { model: nameModel(model), reason: error.fault })
      if (!(await pauseForRetry(call, error, retry))) throw error
    }
  }
}

/** @returns False if the same model is not to be called again. */
async function pauseForRetry(call: Call, error: ModelCallError, retry: number): Promise<boolean> {
  const { deps, input, options, endsAtMs } = call
  const { modelId: model } = error
  const delayMs = retry < input.retriesMax ? retryDelay(error, retry, deps.random(), input.patience) : null
  if (delayMs === null || deps.clock.now() + delayMs >= endsAtMs) return false
  deps.log.warn({ ...describeFailure(error), delayMs }, 'model-retried')
  deps.metrics?.add('docent_model_retries_total', { model })
  activeSpan()?.note('model-retried', { 'docent.model': model, 'error.type': error.fault })
  const signal = options.abortSignal ?? new AbortController().signal
  await deps.sleep(delayMs, signal)
  signal.throwIfAborted()
  return true
}

/** Streams the parts already read and then the rest, one part per read. */
function passOn(call: Call & Answering): ReadableStream<ChatStreamPart> {
  const { deps, options, model, attempt } = call
  const { parts, reader, watch, signal } = attempt
  let index = 0
  // Checked for every part; reading `aborted` of a combined signal would cost more than the rest of the work.
  let isOver = false
  let isFinished = false
  let onAbort: (() => void) | undefined
  const release = () => {
    isOver = true
    watch.stop()
    if (onAbort) signal.removeEventListener('abort', onAbort)
  }
  const fail = (controller: ReadableStreamDefaultController<ChatStreamPart>, error: unknown) => {
    release()
    reader.cancel(error).catch(() => undefined)
    const isLeft = options.abortSignal?.aborted === true
    if (isLeft) return controller.error(options.abortSignal?.reason)
    const failure = explainFailure(error, model, deps.clock.now())
    deps.metrics?.add('docent_model_failures_total', { model: nameModel(model), reason: failure.fault })
    controller.error(failure)
  }
  return new ReadableStream<ChatStreamPart>(
    {
      start(controller) {
        onAbort = () => fail(controller, signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
      },
      async pull(controller) {
        try {
          const part = parts[index] ?? (await readNext(attempt))
          index++
          if (isOver) return
          if (part === null) {
            if (!isFinished) throw new BrokenStreamError()
            release()
            return controller.close()
          }
          const failure = findFailure(part)
          if (failure !== null) return fail(controller, failure.cause)
          if (part.type === 'finish') isFinished = true
          controller.enqueue(part)
        } catch (error) {
          if (!isOver) fail(controller, error)
        }
      },
      cancel(reason) {
        release()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

async function readNext({ reader, watch }: OpenAttempt): Promise<ChatStreamPart | null> {
  watch.resume()
  const { done, value } = await reader.read()
  watch.pause()
  return done ? null : value
}

function describeFailure({ modelId, fault, statusCode, message }: ModelCallError) {
  return { model: modelId, fault, statusCode, reason: message }
}

import { nameModel } from '../../contract/model-providers.ts'
import { callEmbeddingModel } from './call-embedding-model.ts'
import type { EmbeddedKind, EmbeddingModel } from '../embedding-model.ts'
import { ModelCallError } from '../calls/model-call-error.ts'
import type { ResilientModelDeps } from '../calls/resilient-model.ts'
import { embeddingRetryDelay } from '../calls/retry-delay.ts'

export interface EmbedPassagesInput {
  model: EmbeddingModel
  kind: EmbeddedKind
  /** None empty. */
  texts: readonly string[]
  signal: AbortSignal
  /** Called with each finished batch, in any order; `places` are indexes into `texts`. */
  onEmbedded(places: readonly number[], vectors: readonly (readonly number[])[]): void
  /** Timeout of one call; local models take a while to load. */
  callMsMax?: number
}

/** A killed run repeats the batches in flight; a reply takes a few megabytes. */
const batchTextsMax = 64
/** Providers limit the tokens of a request: the lowest known limit is 300,000. */
const batchCharsMax = 120_000
const callsAtOnce = 4
const callMsMaxDefault = 120_000
/** A shorter text is not rejected for its length. */
const cutCharsMin = 200

/**
 * Embeds texts in concurrent batches, with retries that wait as long as the provider asks. A text that is too long for
 * the model is halved until it fits, keeping its beginning, which says what it is about.
 *
 * @returns Indexes of the texts that the model rejects at any length, or that say nothing to it.
 * @throws {ModelCallError} when the provider stays unavailable or refuses; batches already passed to `onEmbedded`
 *   remain valid.
 * @throws The reason of `signal` when that aborts.
 */
export async function embedPassages(deps: ResilientModelDeps, input: EmbedPassagesInput): Promise<number[]> {
  const stop = new AbortController()
  const run: Run = { deps, input, signal: AbortSignal.any([input.signal, stop.signal]), pausedUntilMs: 0, refused: [] }
  const batches = listBatches(input.texts, (await input.model.maxEmbeddingsPerCall) ?? batchTextsMax)
  const lanes = (await input.model.supportsParallelCalls) ? Math.min(callsAtOnce, batches.length) : 1
  const work = async (): Promise<void> => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      run.signal.throwIfAborted()
      await embedBatch(run, batch)
    }
  }
  try {
    await Promise.all(Array.from({ length: lanes }, work))
  } catch (error) {
    // The first lane that fails ends the others.
    stop.abort(error)
    throw error
  }
  return run.refused
}

interface Run {
  deps: ResilientModelDeps
  input: EmbedPassagesInput
  signal: AbortSignal
  /** A provider that asks to wait means all calls, not only the one it answered. */
  pausedUntilMs: number
  refused: number[]
}

interface Part {
  place: number
  text: string
}

function listBatches(texts: readonly string[], textsMax: number): Part[][] {
  const batches: Part[][] = []
  let chars = Infinity
  texts.forEach((text, place) => {
    const last = batches.at(-1)
    const isFull = chars + text.length > batchCharsMax || (last?.length ?? 0) >= Math.min(batchTextsMax, textsMax)
    if (last === undefined || isFull) batches.push([{ place, text }])
    else last.push({ place, text })
    chars = isFull ? text.length : chars + text.length
  })
  return batches
}

async function embedBatch(run: Run, batch: readonly Part[]): Promise<void> {
  try {
    const vectors = await callWithRetries(
      run,
      batch.map(({ text }) => text),
    )
    run.signal.throwIfAborted()
    const isTelling = vectors.map((vector) => vector.some((value) => value !== 0))
    const places = batch.map(({ place }) => place)
    run.refused.push(...places.filter((_, at) => isTelling[at] === false))
    run.input.onEmbedded(
      places.filter((_, at) => isTelling[at]),
      vectors.filter((_, at) => isTelling[at]),
    )
  } catch (error) {
    if (!(error instanceof ModelCallError) || error.fault !== 'too-long') throw error
    for (const part of splitBatch(run, batch)) await embedBatch(run, part)
  }
}

/** Two halves of the texts, or the first half of a single text; none if that would be too short. */
function splitBatch({ refused }: Run, batch: readonly Part[]): Part[][] {
  const [first, second] = batch
  if (first === undefined) return []
  if (second !== undefined) {
    const half = Math.ceil(batch.length / 2)
    return [batch.slice(0, half), batch.slice(half)]
  }
  const text = first.text.slice(0, Math.floor(first.text.length / 2))
  if (text.length >= cutCharsMin) return [[{ place: first.place, text }]]
  refused.push(first.place)
  return []
}

async function callWithRetries(run: Run, texts: readonly string[]): Promise<number[][]> {
  const { deps, input, signal } = run
  for (let retry = 0; ; retry++) {
    await waitForPause(run)
    try {
      const limitMs = input.callMsMax ?? callMsMaxDefault
      const { vectors } = await callEmbeddingModel(deps, input.model, { texts, kind: input.kind, limitMs, signal })
      return vectors
    } catch (error) {
      if (!(error instanceof ModelCallError)) throw error
      const delayMs = embeddingRetryDelay(error, retry, deps.random())
      if (delayMs === null) throw error
      run.pausedUntilMs = Math.max(run.pausedUntilMs, deps.clock.now() + delayMs)
      const { fault, statusCode } = error
      deps.log.warn(
        { model: nameModel(input.model), fault, statusCode, reason: error.message, delayMs },
        'embedding-retried',
      )
    }
  }
}

async function waitForPause(run: Run): Promise<void> {
  const { deps, signal } = run
  for (let leftMs = run.pausedUntilMs - deps.clock.now(); leftMs > 0; leftMs = run.pausedUntilMs - deps.clock.now()) {
    await deps.sleep(leftMs, signal)
    signal.throwIfAborted()
  }
}

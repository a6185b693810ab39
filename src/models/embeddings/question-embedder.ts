import { nameModel } from '../../contract/model-providers.ts'
import { isRecent } from '../../base/is-recent.ts'
import type { Log } from '../../telemetry/log.ts'
import { callEmbeddingModel } from './call-embedding-model.ts'
import type { EmbeddingModel } from '../embedding-model.ts'
import { estimateTokens } from '../calls/estimate-tokens.ts'
import type { WatchDeps } from '../calls/call-watch.ts'
import { priceTokens } from '../calls/fit-call.ts'
import type { CallCost, CostReservation, ModelAccount } from '../calls/model-account.ts'
import { ModelCallError } from '../calls/model-call-error.ts'
import { findPrice, type PriceList } from '../providers/prices.ts'
import type { TokenPrice } from '../providers/provider-adapters.ts'

/** Embeds questions while a reader waits. */
export interface QuestionEmbedder {
  /** `provider/model`: only vectors of the same model are comparable. */
  model: string
  /**
   * @param payer The site that pays for it.
   * @returns The vector of a text, or null if none is ready in time, and the search continues without it. Rejects only
   *   with the reason of `signal`.
   */
  embed(text: string, payer: string, signal?: AbortSignal): Promise<Float32Array | null>
}

export interface QuestionEmbedderDeps extends WatchDeps {
  log: Log
}

export interface QuestionEmbedderInput {
  model: EmbeddingModel
  /** Longest time that a search waits. */
  waitMs: number
  /** If the model has a price, the payer's account must cover each embedding. */
  prices?: PriceList
  openAccount(payer: string): Promise<ModelAccount>
  /** Removes text that the provider must not receive from a question. */
  mask?(text: string): string
}

/** Calls outlive the search that made them, so that the next one finds the model loaded and the vector cached. */
const callMsMax = 10_000
/** After a failure, searches do not wait for the provider for this long. */
const pauseMs = 5_000
const logEveryMs = 60_000
const cachedQuestionsMax = 1_000
/** Longer texts are pasted logs, whose beginning says what they are about. */
const questionCharsMax = 2_000
/** Tokens that models add around a text. */
const textTokens = 8
/** Concurrent calls; they must not pile up if the provider is slow. */
const callsMax = 16

export function createQuestionEmbedder(deps: QuestionEmbedderDeps, input: QuestionEmbedderInput): QuestionEmbedder {
  return new WatchedQuestionEmbedder(deps, input)
}

class WatchedQuestionEmbedder implements QuestionEmbedder {
  readonly model: string
  readonly #deps: QuestionEmbedderDeps
  readonly #input: QuestionEmbedderInput
  readonly #price: TokenPrice | null
  /** Least recently used first. */
  readonly #known = new Map<string, Float32Array>()
  readonly #underWay = new Map<string, Promise<Float32Array | null>>()
  #failedAtMs = -Infinity
  #loggedAtMs = -Infinity

  constructor(deps: QuestionEmbedderDeps, input: QuestionEmbedderInput) {
    this.#deps = deps
    this.#input = input
    this.model = nameModel(input.model)
    this.#price = findPrice(this.model, input.prices)
  }

  async embed(text: string, payer: string, signal?: AbortSignal): Promise<Float32Array | null> {
    const { mask = (unmasked: string) => unmasked } = this.#input
    const question = mask(text.trim()).slice(0, questionCharsMax).toWellFormed()
    if (question === '') return null
    const known = this.#known.get(question)
    if (known !== undefined) {
      this.#keep(question, known)
      return known
    }
    const call = this.#underWay.get(question) ?? this.#call(question, payer)
    if (call === null) return null
    const vector = await this.#waitFor(call, signal)
    signal?.throwIfAborted()
    return vector
  }

  #call(question: string, payer: string): Promise<Float32Array | null> | null {
    if (isRecent(this.#failedAtMs, pauseMs, this.#deps.clock.now()) || this.#underWay.size >= callsMax) return null
    const call = this.#ask(question, payer).finally(() => this.#underWay.delete(question))
    this.#underWay.set(question, call)
    return call
  }

  /** Not aborted with the reader's request, because the next one can use the vector. */
  async #ask(question: string, payer: string): Promise<Float32Array | null> {
    const { model } = this.#input
    try {
      const reservation = await this.#reserve(question, payer)
      if (reservation === null) return null
      const signal = new AbortController().signal
      const call = { texts: [question], kind: 'question' as const, limitMs: callMsMax, signal }
      const { vectors, tokens } = await callEmbeddingModel(this.#deps, model, call)
      const floats = Float32Array.from(vectors[0] ?? [])
      if (tokens !== null) await reservation.settle(this.#costOf(tokens), true)
      this.#keep(question, floats)
      this.#failedAtMs = -Infinity
      return floats
    } catch (error) {
      if (!isFaultOfText(error)) this.#failedAtMs = this.#deps.clock.now()
      this.#report(error instanceof Error ? error.message : String(error))
      return null
    }
  }

  /** @returns Null if the account cannot cover the maximum cost of the call. */
  async #reserve(question: string, payer: string): Promise<CostReservation | null> {
    const account = await this.#input.openAccount(payer)
    return account.reserve(this.#costOf(estimateTokens(question) + textTokens))
  }

  #costOf(tokens: number): CallCost {
    return priceTokens(this.#price, { inputTokens: tokens, outputTokens: 0 })
  }

  async #waitFor(call: Promise<Float32Array | null>, signal: AbortSignal | undefined): Promise<Float32Array | null> {
    const answered = new AbortController()
    const ends = signal === undefined ? answered.signal : AbortSignal.any([answered.signal, signal])
    const late = this.#deps.sleep(this.#input.waitMs, ends).then(() => 'late' as const)
    const first = await Promise.race([call, late])
    answered.abort()
    if (first !== 'late') return first
    if (signal?.aborted !== true) this.#report(`no vector within ${this.#input.waitMs} ms`)
    return null
  }

  #keep(question: string, vector: Float32Array): void {
    this.#known.delete(question)
    this.#known.set(question, vector)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= cachedQuestionsMax) return
      this.#known.delete(oldest)
    }
  }

  /** An outage would otherwise write a line for every search. */
  #report(reason: string): void {
    const nowMs = this.#deps.clock.now()
    if (nowMs - this.#loggedAtMs < logEveryMs) return
    this.#loggedAtMs = nowMs
    this.#deps.log.warn({ model: this.model, reason }, 'question-embedding-failed')
  }
}

/** Whether the provider refuses only this text: one reader's question must not turn off the vectors of all others. */
function isFaultOfText(error: unknown): boolean {
  return error instanceof ModelCallError && (error.fault === 'too-long' || error.fault === 'refused')
}

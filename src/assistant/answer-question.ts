import type { KeyObject } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { AnswerEvent, EmitAnswerEvent, FinishReason, TokenUsage } from '../contract/answer-event.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { JsonValue } from '../contract/json.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { type LoopEvent, ModelFailureError, runToolLoop } from '../models/run-tool-loop.ts'
import type { Reader } from '../search/search-query.ts'
import type { LiveSite } from '../sites/live-sites.ts'
import type { Store } from '../store/store.ts'
import type { WriteGroup } from '../store/write-group.ts'
import type { Log } from '../telemetry/log.ts'
import { CitedPages } from './cited-pages.ts'
import { buildInstructions } from './instructions.ts'
import type { OpenThread } from './open-thread.ts'
import { buildConversation, buildSearchText } from './question-prompt.ts'
import { type AnswerOutcome, buildAnswerRecord } from './record-answer.ts'
import { createSearchTool, type SearchTool, toToolMessages } from './search-tool.ts'

export interface AnswerDeps {
  store: Store
  /** Groups the durable writes of concurrent answers. */
  writes: WriteGroup
  clock: Clock
  ids: IdSource
  model: ChatModel
  threadKeySecret: KeyObject
}

export interface AnswerInput {
  site: LiveSite
  reader: Reader
  question: AssistantQuestion
  thread: OpenThread
  log: Log
}

/** Steps of the model in one answer, the first included. */
const stepsMax = 5

/**
 * Answers a question from the pages of a site.
 *
 * The first search runs before the model is asked, so that the common question needs one model call; the model may
 * search again. The answer is stored before `answer-finished`: what a client saw finished survives a crash. A client
 * that leaves, or a model that fails, leaves a record of what was said.
 *
 * @param signal Aborts when nobody waits for the answer any more.
 */
export async function answerQuestion(
  deps: AnswerDeps,
  input: AnswerInput,
  emit: EmitAnswerEvent,
  signal: AbortSignal,
): Promise<void> {
  const answer = new RunningAnswer(deps, input, emit)
  await emit({ type: 'answer-started', messageId: answer.messageId, threadId: input.thread.id })
  try {
    await answer.run(signal)
  } catch (error) {
    await answer.record(signal.aborted ? 'disconnected' : 'failed')
    if (signal.aborted) return
    if (!(error instanceof ModelFailureError)) throw error
    input.log.warn({ error }, 'answer-failed')
    await emit({ type: 'answer-failed', message: error.message })
    return
  }
  await answer.record('finished')
  await emit(answer.finished())
}

/** What is known of an answer while it runs. */
class RunningAnswer {
  readonly messageId: string
  readonly #deps: AnswerDeps
  readonly #input: AnswerInput
  readonly #emit: EmitAnswerEvent
  readonly #startedAtMs: number
  readonly #cited: CitedPages
  #firstTextAtMs: number | null = null
  #text = ''
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  #finishReason: FinishReason = 'other'
  #isAnswered: boolean | null = null

  constructor(deps: AnswerDeps, input: AnswerInput, emit: EmitAnswerEvent) {
    this.#deps = deps
    this.#input = input
    this.#emit = emit
    this.#startedAtMs = deps.clock.now()
    this.#cited = new CitedPages(input.site.url)
    this.messageId = deps.ids.prefixed('msg')
  }

  async run(signal: AbortSignal): Promise<void> {
    const { site, question } = this.#input
    const search = createSearchTool({ ...this.#input, onResults: (results) => this.#cited.addResults(results) })
    const callId = this.#deps.ids.prefixed('call')
    const query = buildSearchText(question)
    const output = await this.#searchFirst(search, callId, query, signal)
    const end = await runToolLoop({
      model: this.#deps.model,
      instructions: buildInstructions(site.name),
      messages: [...buildConversation(question), ...toToolMessages(callId, query, output)],
      tools: [search],
      emit: (event) => this.#pass(event),
      maxSteps: stepsMax,
      signal,
    })
    this.#usage = end.usage
    this.#finishReason = end.finishReason
    this.#isAnswered = end.isAnswered
  }

  async #searchFirst(search: SearchTool, callId: string, query: string, signal: AbortSignal): Promise<JsonValue> {
    await this.#emit({ type: 'step-started' })
    await this.#emit({ type: 'tool-called', callId, toolName: search.name, input: { query } })
    const output = await search.run({ query }, signal)
    await this.#emit({ type: 'tool-returned', callId, output })
    await this.#emit({ type: 'step-finished', finishReason: 'tool-calls', usage: { inputTokens: 0, outputTokens: 0 } })
    return output
  }

  /** Notes what is said, and names each page as soon as it is cited. */
  #pass(event: LoopEvent): Promise<void> | undefined {
    if (event.type === 'text-delta') {
      this.#firstTextAtMs ??= this.#deps.clock.now()
      this.#text += event.text
      for (const { path, title, url } of this.#cited.addText(event.text)) {
        void this.#emit({ type: 'source-cited', sourceId: path, url, title })
      }
    }
    return this.#emit(event)
  }

  finished(): AnswerEvent {
    const metadata = { model: this.#modelId, answered: this.#isAnswered !== false }
    return {
      type: 'answer-finished',
      threadId: this.#input.thread.id,
      finishReason: this.#finishReason,
      usage: this.#usage,
      metadata,
    }
  }

  get #modelId(): string {
    return `${this.#deps.model.provider}/${this.#deps.model.modelId}`
  }

  /** Resolves when it is on the disk. @throws when the database cannot take it. */
  async record(outcome: AnswerOutcome): Promise<void> {
    const { clock, ids, writes } = this.#deps
    await writes.add(
      buildAnswerRecord({
        ...this.#input,
        outcome,
        questionId: ids.prefixed('msg'),
        answerId: this.messageId,
        text: this.#text,
        cited: this.#cited.all,
        isAnswered: this.#isAnswered,
        model: this.#modelId,
        usage: this.#usage,
        startedAtMs: this.#startedAtMs,
        firstTextAtMs: this.#firstTextAtMs,
        endedAtMs: clock.now(),
      }),
    )
  }
}

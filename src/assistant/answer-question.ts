import type { KeyObject } from 'node:crypto'
import type { Clock } from '../base/clock.ts'
import type { IdSource } from '../base/ids.ts'
import type { AnswerEvent, FinishReason, TokenUsage } from '../contract/answer-event.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import type { ChatModel } from '../models/chat-model.ts'
import { ModelFailureError, runToolLoop } from '../models/run-tool-loop.ts'
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
import { createSearchTool, searchToolName, toToolMessages } from './search-tool.ts'

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
 */
export async function* answerQuestion(
  deps: AnswerDeps,
  input: AnswerInput,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const answer = new RunningAnswer(deps, input)
  yield { type: 'answer-started', messageId: answer.messageId, threadId: input.thread.id }
  try {
    yield* answer.run(signal)
    await answer.record('finished')
    yield answer.finished()
  } catch (error) {
    if (signal.aborted) return
    await answer.record('failed')
    if (!(error instanceof ModelFailureError)) throw error
    input.log.warn({ error }, 'answer-failed')
    yield { type: 'answer-failed', message: error.message }
  } finally {
    // Reached without a record when the client is gone: `return` was called on this generator, or the signal aborted.
    if (!answer.isRecorded) await answer.record('disconnected')
  }
}

/** What is known of an answer while it runs. */
class RunningAnswer {
  readonly messageId: string
  isRecorded = false
  readonly #deps: AnswerDeps
  readonly #input: AnswerInput
  readonly #startedAtMs: number
  readonly #cited: CitedPages
  #firstTextAtMs: number | null = null
  #text = ''
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  #finishReason: FinishReason = 'other'
  #isAnswered: boolean | null = null

  constructor(deps: AnswerDeps, input: AnswerInput) {
    this.#deps = deps
    this.#input = input
    this.#startedAtMs = deps.clock.now()
    this.#cited = new CitedPages(input.site.url)
    this.messageId = deps.ids.prefixed('msg')
  }

  async *run(signal: AbortSignal): AsyncGenerator<AnswerEvent> {
    const { site, reader, question } = this.#input
    const search = createSearchTool({ site, reader, question, onResults: (results) => this.#cited.addResults(results) })
    const callId = this.#deps.ids.prefixed('call')
    const query = buildSearchText(question)
    yield { type: 'step-started' }
    yield { type: 'tool-called', callId, toolName: searchToolName, input: { query } }
    const output = await search.run({ query }, signal)
    yield { type: 'tool-returned', callId, output }
    yield { type: 'step-finished', finishReason: 'tool-calls', usage: { inputTokens: 0, outputTokens: 0 } }
    const loop = runToolLoop({
      model: this.#deps.model,
      instructions: buildInstructions(site.name),
      messages: [...buildConversation(question), ...toToolMessages(callId, query, output)],
      tools: [search],
      maxSteps: stepsMax,
      signal,
    })
    for await (const event of loop) {
      if (event.type === 'loop-ended') {
        this.#usage = event.usage
        this.#finishReason = event.finishReason
        this.#isAnswered = event.isAnswered
        continue
      }
      if (event.type === 'text-delta') yield* this.#noteText(event.text)
      yield event
    }
  }

  *#noteText(text: string): Generator<AnswerEvent> {
    this.#firstTextAtMs ??= this.#deps.clock.now()
    this.#text += text
    for (const { path, title, url } of this.#cited.addText(text)) {
      yield { type: 'source-cited', sourceId: path, url, title }
    }
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
    this.isRecorded = true
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

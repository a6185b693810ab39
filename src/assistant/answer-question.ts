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
import { answerBounds } from './answer-bounds.ts'
import { createAnswerTools } from './answer-tools.ts'
import { CitedPages } from './cited-pages.ts'
import { GatedPieces } from './gated-pieces.ts'
import { buildInstructions, describeSite } from './instructions.ts'
import { type JudgedAnswer, judgeAnswer } from './judge-answer.ts'
import type { OpenThread } from './open-thread.ts'
import { buildConversation, buildSearchText } from './question-prompt.ts'
import type { ReadPage } from './answer-tool.ts'
import { type AnswerOutcome, buildAnswerRecord } from './record-answer.ts'
import { type SearchTool, toToolMessages } from './search-tool.ts'

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

const tooLongMessage = 'The answer took too long, so it stays incomplete. Ask again, or ask for less at once.'

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
  const timeUp = AbortSignal.timeout(answerBounds.timeMs)
  await emit({ type: 'answer-started', messageId: answer.messageId, threadId: input.thread.id })
  try {
    await answer.run(AbortSignal.any([signal, timeUp]))
  } catch (error) {
    answer.letGo()
    await answer.record(signal.aborted ? 'disconnected' : 'failed')
    if (signal.aborted) return
    const message = timeUp.aborted ? tooLongMessage : error instanceof ModelFailureError ? error.message : null
    if (message === null) throw error
    input.log.warn({ error }, 'answer-failed')
    await emit({ type: 'answer-failed', message })
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
  readonly #pieces: GatedPieces
  #firstTextAtMs: number | null = null
  #text = ''
  #usage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  #finishReason: FinishReason = 'other'
  #isAnswered: boolean | null = null
  #judged: JudgedAnswer = { verdict: 'unanswered', reasons: [] }
  #modelId: string
  /** What the model got to read, by path. */
  readonly #readTexts = new Map<string, string>()

  constructor(deps: AnswerDeps, input: AnswerInput, emit: EmitAnswerEvent) {
    this.#deps = deps
    this.#input = input
    this.#emit = emit
    this.#startedAtMs = deps.clock.now()
    this.#modelId = `${deps.model.provider}/${deps.model.modelId}`
    this.#cited = new CitedPages(input.site.url)
    this.#pieces = new GatedPieces(this.#cited)
    this.messageId = deps.ids.prefixed('msg')
  }

  async run(signal: AbortSignal): Promise<void> {
    const { site, question } = this.#input
    const tools = createAnswerTools({ ...this.#input, onRead: (pages) => this.#noteRead(pages) })
    const callId = this.#deps.ids.prefixed('call')
    const query = buildSearchText(question)
    const output = await this.#searchFirst(tools.search, callId, query, signal)
    const end = await runToolLoop({
      model: this.#deps.model,
      instructions: buildInstructions(describeSite(site, question)),
      messages: [...buildConversation(question), ...toToolMessages(callId, query, output)],
      tools: tools.all,
      emit: (event) => this.#pass(event),
      maxSteps: answerBounds.steps,
      maxOutputTokens: answerBounds.outputTokens,
      signal,
      onToolError: (tool, error) => this.#input.log.warn({ tool, error }, 'answer-tool-failed'),
    })
    this.#usage = end.usage
    this.#finishReason = end.finishReason
    this.#isAnswered = end.isAnswered
    this.#modelId = end.modelId ?? this.#modelId
    this.#judged = this.#judge()
  }

  async #searchFirst(search: SearchTool, callId: string, query: string, signal: AbortSignal): Promise<JsonValue> {
    await this.#emit({ type: 'step-started' })
    await this.#emit({ type: 'tool-called', callId, toolName: search.name, input: { query } })
    const output = await search.run({ query }, signal)
    await this.#emit({ type: 'tool-returned', callId, output })
    await this.#emit({ type: 'step-finished', finishReason: 'tool-calls', usage: { inputTokens: 0, outputTokens: 0 } })
    return output
  }

  /** Lets no link out but those to retrieved pages, notes what is said, and names each page as soon as it is cited. */
  #pass(event: LoopEvent): Promise<void> | undefined {
    return this.#put(this.#pieces.pass(event))
  }

  /** Gives what is held back of an answer that broke off. */
  letGo(): void {
    void this.#put(this.#pieces.end())
  }

  #put(pieces: readonly LoopEvent[]): Promise<void> | undefined {
    let writable: Promise<void> | undefined
    for (const piece of pieces) {
      if (piece.type === 'text-delta') this.#note(piece.text)
      writable = this.#emit(piece) ?? writable
    }
    return writable
  }

  #note(text: string): void {
    this.#firstTextAtMs ??= this.#deps.clock.now()
    this.#text += text
    for (const { path, title, url } of this.#cited.takeNew()) {
      void this.#emit({ type: 'source-cited', sourceId: path, url, title })
    }
  }

  #noteRead(pages: readonly ReadPage[]): void {
    this.#cited.addResults(pages)
    for (const { path, metadata, content } of pages) {
      this.#readTexts.set(path, `${this.#readTexts.get(path) ?? metadata.title}\n${content}`)
    }
  }

  #judge(): JudgedAnswer {
    const citedTexts = this.#cited.all.map(({ path }) => this.#readTexts.get(path) ?? '')
    return judgeAnswer({ text: this.#text, citedTexts, isAnswered: this.#isAnswered })
  }

  finished(): AnswerEvent {
    const { verdict, reasons } = this.#judged
    const metadata = { model: this.#modelId, answered: verdict !== 'unanswered', verdict, verdictReasons: reasons }
    return {
      type: 'answer-finished',
      threadId: this.#input.thread.id,
      finishReason: this.#finishReason,
      usage: this.#usage,
      metadata,
    }
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
        verdict: this.#judged.verdict,
        model: this.#modelId,
        usage: this.#usage,
        startedAtMs: this.#startedAtMs,
        firstTextAtMs: this.#firstTextAtMs,
        endedAtMs: clock.now(),
      }),
    )
  }
}

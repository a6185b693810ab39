import type { AnswerEvent, EmitAnswerEvent, FinishReason } from '../contract/answer-event.ts'
import type { AssistantQuestion } from '../contract/assistant-request.ts'
import { cutText } from '../contract/cut-text.ts'
import { queryCharsMax } from '../contract/search.ts'
import { readSiteSettings, type SiteSettings } from '../contract/site-settings.ts'
import type { ChatModel, ChatPrompt } from '../models/chat-model.ts'
import type { LoopEvent } from '../models/loop/loop-event.ts'
import { type LoopUse, runToolLoop } from '../models/loop/run-tool-loop.ts'
import { activeSpan } from '../telemetry/work-context.ts'
import { answerBounds } from './answer-bounds.ts'
import { nameModel } from '../contract/model-providers.ts'
import { type AnswerModels, isOffline } from './answer-models.ts'
import type { AnswerDeps, RunningInput } from './answer-question.ts'
import type { ReadPage } from './answer-tool.ts'
import { type AnswerTools, createAnswerTools } from './answer-tools.ts'
import { CitedPages } from './cited-pages.ts'
import { GatedPieces } from './gated-pieces.ts'
import { buildInstructions, describeSite } from './instructions.ts'
import { type JudgedAnswer, judgeAnswer } from './judge-answer.ts'
import { HiddenOutputs } from './load-skill-tool.ts'
import { maskQuestion } from './mask-question.ts'
import { answerOfflineBeyondCeiling } from './offline-beyond-ceiling.ts'
import { buildConversation, buildSearchText } from './question-prompt.ts'
import { type AnswerOutcome, buildAnswerRecord } from './record-answer.ts'
import { rewriteFollowUp } from './rewrite-question.ts'
import { addTermCounts, type MadeSearch, toSearchQuery, toToolMessages } from './search-tool.ts'
import { ShownOutputs } from './shown-outputs.ts'
import { SiteAccount } from './site-account.ts'
import { type FoundPage, writeSuggestions } from './suggested-pages.ts'
import { writeSupportOffer } from './support-offer.ts'

const cutSentence = '\n\n*This answer was cut off because it became too long. Ask for less at a time.*'

/** What is known of an answer while it runs. */
export class RunningAnswer {
  readonly messageId: string
  readonly #deps: AnswerDeps
  readonly #input: RunningInput
  readonly #emit: EmitAnswerEvent
  /** As models get to read it. */
  readonly #question: AssistantQuestion
  readonly #settings: SiteSettings
  readonly #account: SiteAccount
  readonly #startedAtMs: number
  readonly #cited: CitedPages
  readonly #pieces: GatedPieces
  /** What to await before the next event, when the reader does not keep up. */
  #writable: Promise<void> | undefined
  readonly #hidden = new HiddenOutputs()
  readonly #shown = new ShownOutputs()
  /** What the model got to read, by path. */
  readonly #readTexts = new Map<string, string>()
  /** What searches found, by path. */
  readonly #found = new Map<string, FoundPage>()
  #firstTextAtMs: number | null = null
  #text = ''
  #used: LoopUse = { steps: 0, usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 }
  #finishReason: FinishReason = 'other'
  #judged: JudgedAnswer = { verdict: 'unanswered', reasons: [] }
  #modelId: string | null = null
  /** Why the offline model took over; null if it did not, or is the configured model. */
  #ceilingReason: 'daily-cost-reached' | 'answer-cost-reached' | null = null
  /** The end of the last step, held back for what comes after the model's own text. */
  #lastStepEnd: LoopEvent | null = null

  constructor(deps: AnswerDeps, input: RunningInput, emit: EmitAnswerEvent) {
    this.#deps = deps
    this.#input = input
    this.#emit = emit
    this.#question = deps.masksPrompts ? maskQuestion(input.question) : input.question
    this.#settings = readSiteSettings(input.site.settings)
    this.#account = new SiteAccount(deps, input.site)
    this.#startedAtMs = deps.clock.now()
    this.#cited = new CitedPages(input.site.url)
    this.#pieces = new GatedPieces(this.#cited, (event) => this.#put(event))
    this.messageId = deps.ids.prefixed('msg')
  }

  async run(signal: AbortSignal): Promise<void> {
    const tools = createAnswerTools({
      ...this.#input,
      question: this.#question,
      onRead: (pages) => this.#noteRead(pages),
    })
    const choosing = this.#chooseModels()
    const [models, search] = await Promise.all([choosing, this.#searchFirst(tools, choosing, signal)])
    const { site } = this.#input
    const end = await runToolLoop({
      model: this.#openModel(models, search),
      instructions: buildInstructions(describeSite(site, this.#settings, this.#question)),
      messages: [...buildConversation(this.#question), ...toToolMessages(search)],
      tools: tools.all,
      emit: (event) => this.#pass(event),
      maxSteps: answerBounds.steps,
      maxOutputTokens: answerBounds.outputTokens,
      totalOutputTokens: answerBounds.totalOutputTokens,
      maxToolCalls: answerBounds.toolCalls,
      onStep: (used) => (this.#used = used),
      isSpent: (used) => this.#isSpent(used),
      signal,
      onToolError: (tool, error) => this.#input.log.warn({ tool, error }, 'answer-tool-failed'),
    })
    this.#finishReason = end.finishReason
    this.#modelId = end.modelId ?? this.#modelId
    this.#judged = this.#judge(end.isAnswered)
    await this.#close()
  }

  async #chooseModels(): Promise<AnswerModels> {
    const models = await this.#deps.models()
    this.#modelId = nameModel(models.answering)
    return models
  }

  /** The model that answers, paid for by the site: the offline one as soon as it has spent what it may in a day. */
  #openModel({ answering }: AnswerModels, search: MadeSearch): ChatModel {
    const model = answering.billTo(this.#account)
    if (isOffline(model)) return model
    const { offlineModel } = this.#deps
    return answerOfflineBeyondCeiling({
      model,
      offlineModel,
      prepare: (prompt, signal) => this.#handOver(search, prompt, signal),
    })
  }

  /** Notes why the offline model takes over, and tells it how rare the words of the question are. */
  async #handOver(search: MadeSearch, prompt: ChatPrompt, signal: AbortSignal | undefined): Promise<ChatPrompt> {
    const { site, reader, log } = this.#input
    this.#ceilingReason = this.#account.isOverCeiling ? 'daily-cost-reached' : 'answer-cost-reached'
    log.info({ siteId: site.id, reason: this.#ceilingReason }, 'site-cost-reached')
    const query = toSearchQuery(search.query, this.#question, reader)
    return addTermCounts(prompt, search.callId, search.termCounts ?? (await site.index.countTerms(query, signal)))
  }

  async #searchFirst(
    { search }: AnswerTools,
    choosing: Promise<AnswerModels>,
    signal: AbortSignal,
  ): Promise<MadeSearch> {
    const callId = this.#deps.ids.prefixed('call')
    await this.#emit({ type: 'step-started' })
    await this.#open()
    const query = cutText(await this.#chooseQuery(choosing, signal), queryCharsMax)
    await this.#emit({ type: 'tool-called', callId, toolName: search.name, input: { query } })
    const { site, reader } = this.#input
    const [output, termCounts] = await Promise.all([
      search.run({ query }, signal),
      choosing.then(({ mayAnswerOffline }) =>
        mayAnswerOffline ? site.index.countTerms(toSearchQuery(query, this.#question, reader), signal) : null,
      ),
    ])
    await this.#emit({ type: 'tool-returned', callId, output: this.#shown.shorten(output) })
    await this.#emit({ type: 'step-finished', finishReason: 'tool-calls', usage: { inputTokens: 0, outputTokens: 0 } })
    return { callId, query, output, termCounts }
  }

  /** A question that stands by itself waits for nobody. */
  async #chooseQuery(choosing: Promise<AnswerModels>, signal: AbortSignal): Promise<string> {
    const question = this.#question
    if (question.turn === 1) return buildSearchText(question)
    const rewritten = await rewriteFollowUp(await choosing, this.#account, question, signal)
    return buildSearchText(rewritten === null ? question : { ...question, question: rewritten })
  }

  #isSpent({ usage }: LoopUse): boolean {
    return (
      usage.inputTokens + usage.outputTokens >= answerBounds.totalTokens ||
      this.#account.isHalfSpent ||
      this.#deps.clock.now() - this.#startedAtMs >= answerBounds.toolTimeMs
    )
  }

  /** Lets no link out but those to retrieved pages, notes what is said, and names each page as soon as it is cited. */
  #pass(event: LoopEvent): Promise<void> | undefined {
    this.#writable = undefined
    if (event.type === 'text-started' && event.isAnswer === false) this.#cited.stopCiting()
    if (event.type === 'step-finished' && event.finishReason !== 'tool-calls') {
      this.#lastStepEnd = event
      this.#pieces.end()
    } else this.#pieces.pass(this.#shorten(this.#hidden.hide(event)))
    return this.#writable
  }

  #shorten(event: LoopEvent): LoopEvent {
    return event.type === 'tool-returned' ? { ...event, output: this.#shown.shorten(event.output) } : event
  }

  /** Text of ours: stored with the answer, and no part of what is judged. */
  async #open(): Promise<void> {
    const { notice } = this.#input
    if (notice === '') return
    this.#text = notice
    for (const event of toTextEvents('opening', notice)) await this.#emit(event)
  }

  /** Gives what is held back of an answer that broke off. */
  letGo(): void {
    this.#pieces.end()
  }

  /** What is added to the model's answer: text of ours, so that it does not pass the gate. */
  async #close(): Promise<void> {
    const cut = this.#finishReason === 'length' && this.#text !== '' ? cutSentence : ''
    const text = cut + (this.#judged.verdict === 'unanswered' ? this.#offerSupport() : this.#suggestPages())
    if (text !== '') for (const event of toTextEvents('closing', text)) this.#put(event)
    if (this.#lastStepEnd !== null) await this.#emit(this.#lastStepEnd)
  }

  #offerSupport(): string {
    const { supportContact } = this.#settings
    return supportContact === null ? '' : writeSupportOffer(supportContact, this.#input.thread.id)
  }

  #suggestPages(): string {
    if (!this.#settings.suggestions) return ''
    const shown = new Set(this.#cited.all.map(({ path }) => path))
    if (this.#question.currentPath !== null) shown.add(this.#question.currentPath)
    return writeSuggestions([...this.#found.values()], shown)
  }

  #put(event: LoopEvent): void {
    if (event.type === 'text-delta') this.#note(event.text)
    this.#writable = this.#emit(event) ?? this.#writable
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
      const { title, score } = metadata
      this.#readTexts.set(path, `${this.#readTexts.get(path) ?? title}\n${content}`)
      if (score !== undefined && !this.#found.has(path)) this.#found.set(path, { path, title, score })
    }
  }

  #judge(isAnswered: boolean | null): JudgedAnswer {
    const citedTexts = this.#cited.all.map(({ path }) => this.#readTexts.get(path) ?? '')
    const judging = { text: this.#text.slice(this.#input.notice.length), citedTexts, isAnswered }
    this.#input.onJudge?.(judging)
    return judgeAnswer(judging)
  }

  finished(): AnswerEvent {
    const { verdict, reasons } = this.#judged
    return {
      type: 'answer-finished',
      threadId: this.#input.thread.id,
      finishReason: this.#finishReason,
      usage: this.#used.usage,
      metadata: {
        model: this.#modelId,
        answered: verdict !== 'unanswered',
        verdict,
        verdictReasons: reasons,
        ...(this.#ceilingReason !== null && { modelReason: this.#ceilingReason }),
      },
    }
  }

  /**
   * Stores the answer. Resolves when it is on the disk.
   *
   * @throws when the database cannot take it.
   */
  async end(outcome: AnswerOutcome): Promise<void> {
    await this.#record(outcome)
    this.#measure(outcome)
  }

  #measure(outcome: AnswerOutcome): void {
    const { clock, metrics } = this.#deps
    const { verdict } = this.#judged
    activeSpan()?.set({ 'docent.outcome': outcome, 'docent.verdict': verdict })
    if (metrics === undefined) return
    const model = this.#modelId ?? 'none'
    metrics.add('docent_answers_total', { outcome, verdict: outcome === 'finished' ? verdict : 'none' })
    metrics.observe('docent_answer_seconds', { model }, (clock.now() - this.#startedAtMs) / 1_000)
    if (this.#firstTextAtMs === null) return
    metrics.observe('docent_answer_first_text_seconds', { model }, (this.#firstTextAtMs - this.#startedAtMs) / 1_000)
  }

  async #record(outcome: AnswerOutcome): Promise<void> {
    const { clock, ids, writes, threadKeySecret } = this.#deps
    await writes.add(
      buildAnswerRecord({
        ...this.#input,
        threadKeySecret,
        outcome,
        questionId: ids.prefixed('msg'),
        answerId: this.messageId,
        text: this.#text,
        cited: this.#cited.all,
        triedPaths: [...this.#readTexts.keys()],
        judged: this.#judged,
        model: this.#modelId,
        usage: this.#used.usage,
        costUsd: this.#account.costUsd,
        startedAtMs: this.#startedAtMs,
        firstTextAtMs: this.#firstTextAtMs,
        endedAtMs: clock.now(),
      }),
    )
  }
}

function toTextEvents(id: string, text: string): LoopEvent[] {
  return [
    { type: 'text-started', id },
    { type: 'text-delta', id, text },
    { type: 'text-ended', id },
  ]
}

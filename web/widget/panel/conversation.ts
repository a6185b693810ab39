import { listSources } from '../../../packages/docent-client/src/answer-sources.ts'
import { DocentError } from '../../../packages/docent-client/src/docent-error.ts'
import type { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import { ThreadMemory } from '../../../packages/docent-client/src/thread-memory.ts'
import type { Emit, QuestionSubject } from '../panel-contract.ts'
import { AnswerStream, hasCode } from './answer-stream.ts'
import { keepThread, newThread, readThread, turnsMax } from './kept-thread.ts'
import { listPast, type PastConversation, readPast, removePast, savePast } from './past-conversations.ts'
import { addEvent, makeTurn, readText, type StreamEvent, type Turn } from './turn.ts'

interface ConversationDeps {
  /** Why something failed, as a sentence for readers. */
  describeFault(error: unknown): string
  /** What of the page the next question is about. */
  takeSubject(): QuestionSubject[]
  /** Whether the conversation outlasts the page. */
  isKept(): boolean
  site: string
  requests: ServiceRequests
  emit: Emit
  /** Called after every change, at most once a frame. */
  changed(): void
}

/** A reader's rating of an answer. */
export interface Rating {
  helpful: boolean
  /** A word such as `outdated`. */
  reason?: string | null
  note?: string | null
}

type Events = AsyncIterable<StreamEvent>

/** Longer ones are refused. */
const pathCharsMax = 200
/** Turns that go with a question; the service takes the rest from its own record of the thread. */
const historyMax = 10

/** The questions and answers of this tab. */
export class Conversation {
  readonly #deps: ConversationDeps
  readonly #threads = new ThreadMemory(readStorage())
  #thread
  #running: AbortController | null = null
  #isAnnounced = false

  constructor(deps: ConversationDeps) {
    this.#deps = deps
    this.#thread = readThread(deps.site)
  }

  get turns(): readonly Turn[] {
    return this.#thread.turns
  }

  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Asks, unless an answer is running. Never throws: faults are part of the turn. */
  async ask(question: string): Promise<void> {
    if (this.#running) return
    const { turns } = this.#thread
    const turn = makeTurn(question, document.title)
    // Before the turn is added, which has no text yet.
    const body = this.#writeBody(question)
    turns.push(turn)
    turns.splice(0, turns.length - turnsMax)
    this.#deps.emit('ask', { path: body.currentPath })
    await this.#run(turn, (stream, signal) => stream.ask(body, signal))
  }

  /** Asks the last question again, in place of its answer. */
  async askAgain(): Promise<void> {
    if (this.#running) return
    const last = this.#thread.turns.pop()
    if (last) await this.ask(last.question)
  }

  /** Continues an answer that a page load interrupted. */
  async resume(): Promise<void> {
    const last = this.#thread.turns.at(-1)
    if (this.#running || last?.state !== 'running') return
    await this.#run(last, (stream, signal) => stream.resume(signal))
  }

  async #run(turn: Turn, open: (stream: AnswerStream, signal: AbortSignal) => Events): Promise<void> {
    const running = new AbortController()
    this.#running = running
    this.#keep()
    this.#changed()
    const { requests } = this.#deps
    const { chatId } = this.#thread
    const noteHeaders = (headers: Headers) => this.#threads.note(chatId, headers)
    const events = open(new AnswerStream({ requests, noteHeaders }, chatId), running.signal)
    await this.#receive(turn, events, running.signal)
    if (this.#running === running) this.#running = null
    this.#finish(turn)
  }

  async #receive(turn: Turn, events: Events, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of events) {
        // The service repeats the newest answer that it has, which may be that before.
        if (event.type === 'start' && this.#isOther(turn, String(event['messageId'])))
          throw new TypeError('Other answer.')
        addEvent(turn, event)
        this.#changed()
        if (event.type === 'start') this.#keep()
      }
    } catch (error) {
      this.#fail(turn, error, signal)
    }
  }

  #isOther(turn: Turn, messageId: string): boolean {
    return this.#thread.turns.some((other) => other !== turn && other.messageId === messageId)
  }

  #fail(turn: Turn, error: unknown, signal: AbortSignal): void {
    turn.state = signal.aborted || hasCode(error, 'not_found') ? 'stopped' : 'failed'
    if (turn.state === 'stopped') return
    const isRefused = error instanceof DocentError
    turn.fault = this.#deps.describeFault(error)
    const waitSeconds = isRefused ? error.retryAfterSeconds : null
    turn.retryAt = waitSeconds === null ? null : Date.now() + waitSeconds * 1_000
    this.#deps.emit('error', { message: turn.fault, code: isRefused ? error.code : 'unreachable' })
  }

  #writeBody(question: string) {
    const { chatId, turns } = this.#thread
    const asked = turns.filter((turn) => readText(turn) !== '').slice(-historyMax)
    const message = (role: 'user' | 'assistant', text: string) => ({ role, parts: [{ type: 'text', text }] })
    return {
      id: chatId,
      fp: 'anonymous',
      links: 'absolute',
      currentPath: Array.from(location.pathname).slice(0, pathCharsMax).join(''),
      context: this.#deps.takeSubject(),
      messages: [
        ...asked.flatMap((turn) => [message('user', turn.question), message('assistant', readText(turn))]),
        message('user', question),
      ],
      ...this.#threads.find(chatId, turns, true),
    }
  }

  #finish(turn: Turn): void {
    this.#keep()
    if (this.#deps.isKept()) savePast(this.#deps.site, this.#thread)
    this.#changed()
    const { metadata, messageId, parts } = turn
    const verdict = turn.state === 'done' ? (metadata.verdict ?? null) : null
    const sources = listSources({ parts }).length
    if (turn.state === 'failed') return
    this.#deps.emit('answer', { threadId: metadata.threadId ?? null, messageId, verdict, sources })
  }

  /** Ends the running answer, here and on the server. */
  stop(): void {
    if (!this.#running) return
    this.#running.abort()
    const path = `assistant/{site}/message/${encodeURIComponent(this.#thread.chatId)}/stop`
    // The answer has ended for the reader; the server ends it by itself a little later.
    this.#deps.requests.post(path, {}).catch(() => {})
  }

  clear(): void {
    this.stop()
    this.#running = null
    this.#thread = newThread()
    this.#keep()
    this.#changed()
  }

  /** Earlier conversations on this device, the newest first. */
  get past(): PastConversation[] {
    return this.#deps.isKept() ? listPast(this.#deps.site) : []
  }

  /** Goes on with an earlier conversation in place of this one. */
  reopen(chatId: string): void {
    const thread = readPast(this.#deps.site, chatId)
    if (thread === null) return
    this.clear()
    this.#thread = thread
    this.#keep()
    this.#changed()
  }

  /** @param chatId Null for all. This conversation goes with them. */
  forget(chatId: string | null): void {
    removePast(this.#deps.site, chatId)
    if (chatId === null || chatId === this.#thread.chatId) this.clear()
    this.#changed()
  }

  /**
   * Sends a message to the people behind the site, with the conversation.
   *
   * @throws {DocentError} if it is refused or not answered. Send it again with the same id.
   */
  async handOver(message: { requestId: string; fields: Record<string, string> }): Promise<void> {
    const page = location.origin + location.pathname
    const { chatId, turns } = this.#thread
    const thread = this.#threads.find(chatId, turns, true)
    await this.#deps.requests.post('assistant/{site}/hand-over', { ...message, page, ...thread })
  }

  /** Rates an answer, in place of what was said of it before. @returns Whether the service has it. */
  async rate(turn: Turn, rating: Rating): Promise<boolean> {
    const { messageId } = turn
    if (messageId === null) return false
    const { helpful, reason = null } = rating
    const before = { helpful: turn.helpful, reason: turn.reason }
    Object.assign(turn, { helpful, reason })
    this.#changed()
    try {
      await this.#deps.requests.post('assistant/{site}/feedback', { messageId, fp: 'anonymous', ...rating })
      this.#deps.emit('feedback', { messageId, helpful })
      return true
    } catch {
      Object.assign(turn, before)
      return false
    } finally {
      this.#keep()
      this.#changed()
    }
  }

  #keep(): void {
    if (this.#deps.isKept()) keepThread(this.#deps.site, this.#thread)
  }

  #changed(): void {
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    // Not in a frame: there are none while the tab is in the background.
    setTimeout(() => {
      this.#isAnnounced = false
      this.#deps.changed()
    }, 16)
  }
}

function readStorage(): Storage | null {
  try {
    return sessionStorage
  } catch {
    return null
  }
}

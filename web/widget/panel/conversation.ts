import { listSources } from '../../../packages/docent-client/src/answer-sources.ts'
import { DocentError } from '../../../packages/docent-client/src/docent-error.ts'
import type { ServiceRequests } from '../../../packages/docent-client/src/service-requests.ts'
import { ThreadMemory } from '../../../packages/docent-client/src/thread-memory.ts'
import { readEvents } from '../../site/read-events.js'
import type { Emit } from '../panel-contract.ts'
import { keepThread, newThread, readThread, turnsMax } from './kept-thread.ts'
import { addEvent, makeTurn, readText, type Turn } from './turn.ts'

interface ConversationDeps {
  /** Why something failed, as a sentence for readers. */
  describeFault(error: unknown): string
  site: string
  requests: ServiceRequests
  emit: Emit
  /** Called after every change, at most once a frame. */
  changed(): void
}

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
    const running = new AbortController()
    this.#running = running
    const { turns } = this.#thread
    const turn = makeTurn(question, document.title)
    // Before the turn is added, which has no text yet.
    const body = this.#writeBody(question)
    turns.push(turn)
    turns.splice(0, turns.length - turnsMax)
    this.#deps.emit('ask', { path: body.currentPath })
    this.#changed()
    await this.#receive(turn, body, running.signal)
    if (this.#running === running) this.#running = null
    this.#finish(turn)
  }

  async #receive(turn: Turn, body: object, signal: AbortSignal): Promise<void> {
    try {
      await this.#read(turn, body, signal)
      if (turn.state === 'running') turn.state = 'done'
    } catch (error) {
      turn.state = signal.aborted ? 'stopped' : 'failed'
      if (signal.aborted) return
      const isRefused = error instanceof DocentError
      turn.fault = this.#deps.describeFault(error)
      this.#deps.emit('error', { message: turn.fault, code: isRefused ? error.code : 'unreachable' })
    }
  }

  async #read(turn: Turn, body: object, signal: AbortSignal): Promise<void> {
    const { requests } = this.#deps
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal }
    const response = await requests.send(requests.address('assistant/{site}/message'), init)
    this.#threads.note(this.#thread.chatId, response.headers)
    if (!response.body) return
    for await (const event of readEvents(response.body)) {
      addEvent(turn, event)
      this.#changed()
    }
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
      messages: [
        ...asked.flatMap((turn) => [message('user', turn.question), message('assistant', readText(turn))]),
        message('user', question),
      ],
      ...this.#threads.find(chatId, turns, true),
    }
  }

  #finish(turn: Turn): void {
    keepThread(this.#deps.site, this.#thread)
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
    keepThread(this.#deps.site, this.#thread)
    this.#changed()
  }

  /** Rates an answer. A failure is told, and takes the rating back. */
  async rate(turn: Turn, helpful: boolean): Promise<void> {
    const { messageId, helpful: before } = turn
    if (messageId === null) return
    turn.helpful = helpful
    this.#changed()
    try {
      await this.#deps.requests.post('assistant/{site}/feedback', { messageId, helpful, fp: 'anonymous' })
      this.#deps.emit('feedback', { messageId, helpful })
    } catch {
      turn.helpful = before
    }
    keepThread(this.#deps.site, this.#thread)
    this.#changed()
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

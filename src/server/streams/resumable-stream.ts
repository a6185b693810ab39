import { createUiMessageEncoder, uiMessageAbort } from '../../contract/ui-message-stream.ts'
import type { Countdown, StartCountdown } from './countdown.ts'
import { type AnswerSource, runSource } from './run-source.ts'
import { StreamLog } from './stream-log.ts'

/** Who started an answer, and for whom it was made. Resuming it requires a match. */
export interface StreamOwner {
  keyId: string
  /** Chosen by the client. */
  chatId: string
  address: string
  /** JSON: the reader groups that determined what the answer may say. */
  audience: string
}

export interface ResumableAnswer {
  fp: string
  /** See `isSdkRequest`. */
  isSdkClient: boolean
  source: AnswerSource
  reportError: (error: unknown) => void
}

export interface ResumableStreamOptions {
  id: string
  /** How long the answer continues without a reader. */
  graceMs: number
  startCountdown: StartCountdown
  /** Called on every change that others must learn of: more text, the end. */
  onChange: (stream: ResumableStream) => void
  /** Whether a reader in another process was seen within the last `graceMs`. */
  isReadElsewhere: (stream: ResumableStream) => boolean
}

/** Most characters on the wire of one answer. Far beyond any real one; bounds what a broken model can make us store. */
export const keptCharsMax = 4_000_000

export const abandonedMessage = 'Nobody was reading, so this answer was stopped. Ask again.'
export const tooLongMessage = 'The answer became too long and was ended. Ask for less at once.'

/**
 * An answer that is produced independently of the connection that requested it.
 *
 * Its text is stored from the first frame, so that a reader can come back to it. It is stopped when nobody has read it
 * for the grace period; a stop always ends the text as the format requires, without waiting for the source.
 */
export class ResumableStream {
  readonly id: string
  readonly owner: StreamOwner
  readonly fp: string
  readonly log = new StreamLog()
  /** Resolves when the source has released everything. */
  readonly done: Promise<unknown>
  /** Whether some reader received the whole answer. */
  isDelivered = false
  readonly #options: ResumableStreamOptions
  readonly #abort = new AbortController()
  readonly #encodeFailure: (message: string) => string
  #readers = 0
  #grace: Countdown | null = null

  constructor(owner: StreamOwner, answer: ResumableAnswer, options: ResumableStreamOptions) {
    this.id = options.id
    this.owner = owner
    this.fp = answer.fp
    this.#options = options
    const encode = createUiMessageEncoder(answer)
    this.#encodeFailure = (message) => encode({ type: 'answer-failed', message })
    const sink = { write: (text: string) => this.#write(text), end: () => this.#end() }
    const { source, reportError } = answer
    this.done = runSource({ source, reportError, sink, encode, signal: this.#abort.signal }).then(() => this.#end())
  }

  get isRunning(): boolean {
    return !this.log.isEnded
  }

  get hasReader(): boolean {
    return this.#readers > 0
  }

  /** Runs a reader, which keeps the answer alive until it has read everything or disconnects. */
  async read(readLog: (log: StreamLog) => Promise<'finished' | 'disconnected'>): Promise<'finished' | 'disconnected'> {
    this.#readers += 1
    this.#grace?.stop()
    this.#grace = null
    const outcome = await readLog(this.log)
    this.#readers -= 1
    if (outcome === 'finished') this.isDelivered = true
    this.#watchForReaders()
    return outcome
  }

  /** Stops at a client's request: readers see a normal end, not an error. */
  stop(): void {
    this.#stopWith(uiMessageAbort)
  }

  /** @param message Error message shown to readers. */
  fail(message: string): void {
    this.#stopWith(this.#encodeFailure(message))
  }

  /** A newer answer of the same chat replaced this one, so nobody can come back to it. */
  giveUpUnread(): void {
    if (this.#readers === 0) this.fail(abandonedMessage)
  }

  #write(text: string): undefined {
    if (this.log.isEnded) return
    this.log.append(text)
    if (this.log.chars > keptCharsMax) this.fail(tooLongMessage)
    else this.#options.onChange(this)
  }

  #end(): void {
    if (this.log.isEnded) return
    this.log.end()
    this.#grace?.stop()
    this.#options.onChange(this)
  }

  #stopWith(lastFrames: string): void {
    if (this.log.isEnded) return
    this.log.append(lastFrames)
    this.#end()
    this.#abort.abort()
  }

  #watchForReaders(): void {
    if (this.#readers > 0 || this.log.isEnded) return
    const { graceMs, startCountdown } = this.#options
    if (graceMs === 0) return this.fail(abandonedMessage)
    this.#grace = startCountdown(graceMs, () => {
      if (this.#options.isReadElsewhere(this)) this.#grace?.restart()
      else this.fail(abandonedMessage)
    })
  }
}

import type { ServerResponse } from 'node:http'
import type { Countdown, StartCountdown } from './countdown.ts'

/** Silence after which a heartbeat goes out, below the idle limit of every common proxy. */
export const heartbeatMs = 15_000
/** Heartbeat times that a client may leave its bytes unread before its connection is closed: one minute. */
export const stalledHeartbeatsMax = 4
/** Text held back for one write. More is written at once, so that a fast source does not fill the memory. */
const pendingCharsMax = 32_768

export interface ResponseWriterOptions {
  /** Sent first when there is nothing else to send yet, and whenever nothing was sent for 15 s. */
  heartbeat: string
  startCountdown: StartCountdown
}

/**
 * Writes text to a response, with all that comes within one turn of the event loop in one write: a write for each piece
 * costs several times what making the piece costs. The head goes out at the end of the first turn at the latest.
 */
export class ResponseWriter {
  readonly #response: ServerResponse
  readonly #heartbeat: string
  readonly #countdown: Countdown
  #pending = ''
  #flushing: NodeJS.Immediate | null
  #isBlocked = false
  #stalledHeartbeats = 0
  #onWritable: (() => void) | null = null
  readonly #closed: Promise<void>

  /** @param response Its head is set and not sent. */
  constructor(response: ServerResponse, { heartbeat, startCountdown }: ResponseWriterOptions) {
    this.#response = response
    this.#heartbeat = heartbeat
    this.#countdown = startCountdown(heartbeatMs, () => this.#beat())
    this.#flushing = setImmediate(() => this.#flush(heartbeat))
    response.on('drain', () => this.#unblock())
    // A connection that breaks shows as `close`; the error itself, unheard, would end the process.
    response.on('error', () => undefined)
    this.#closed = new Promise((resolve) => {
      response.once('close', () => {
        this.#release()
        resolve()
      })
    })
  }

  /** @returns What to await before the next write when the client does not keep up; resolves also when it is gone. */
  write(text: string): Promise<void> | undefined {
    this.#pending += text
    if (this.#pending.length >= pendingCharsMax) this.#flush('')
    else if (text !== '') this.#flushing ??= setImmediate(() => this.#flush(''))
    return this.#isBlocked ? this.#untilWritable() : undefined
  }

  /** Ends the response; what `write` was given before goes out first. May be called again to wait for the end. */
  end(): Promise<void> {
    if (this.#response.destroyed || this.#response.writableEnded) return this.#closed
    this.#cancelFlush()
    // Nothing may follow the end, so from here a countdown that runs out means a client that does not read.
    this.#isBlocked = true
    this.#response.end(this.#pending)
    this.#pending = ''
    return this.#closed
  }

  #flush(whenEmpty: string): void {
    this.#cancelFlush()
    const text = this.#pending || whenEmpty
    this.#pending = ''
    if (text === '' || this.#response.destroyed || this.#response.writableEnded) return
    this.#isBlocked = !this.#response.write(text)
    this.#countdown.restart()
  }

  #cancelFlush(): void {
    if (this.#flushing) clearImmediate(this.#flushing)
    this.#flushing = null
  }

  #beat(): void {
    if (!this.#isBlocked) {
      this.#flush(this.#heartbeat)
      return
    }
    this.#stalledHeartbeats += 1
    if (this.#stalledHeartbeats < stalledHeartbeatsMax) this.#countdown.restart()
    else this.#response.destroy()
  }

  #untilWritable(): Promise<void> {
    return new Promise((resolve) => {
      this.#onWritable = resolve
    })
  }

  #unblock(): void {
    this.#isBlocked = this.#response.writableEnded
    this.#stalledHeartbeats = 0
    this.#onWritable?.()
    this.#onWritable = null
  }

  #release(): void {
    this.#cancelFlush()
    this.#countdown.stop()
    this.#unblock()
  }
}

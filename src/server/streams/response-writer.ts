import type { ServerResponse } from 'node:http'
import type { Countdown, StartCountdown } from './countdown.ts'

/** Silence after which a heartbeat is sent; below the idle timeout of every common proxy. */
export const heartbeatMs = 15_000
/** Heartbeat intervals a client may go without reading before its connection is closed: one minute. */
export const stalledHeartbeatsMax = 4
/** Largest batch of text. It is written immediately beyond that, so that a fast source does not fill the memory. */
const pendingCharsMax = 32_768

export interface ResponseWriterOptions {
  /** Sent first if there is nothing else to send yet, and after every 15 s of silence. */
  heartbeat: string
  startCountdown: StartCountdown
}

/**
 * Writes text to a response, batching everything within one turn of the event loop: a write per piece costs several
 * times what producing the piece costs. The head is sent at the end of the first turn at the latest.
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

  /** @param response Its head is set but not sent. */
  constructor(response: ServerResponse, { heartbeat, startCountdown }: ResponseWriterOptions) {
    this.#response = response
    this.#heartbeat = heartbeat
    this.#countdown = startCountdown(heartbeatMs, () => this.#beat())
    this.#flushing = setImmediate(() => this.#flush(heartbeat))
    response.on('drain', () => this.#unblock())
    // Broken connections surface as `close`; an unhandled `error` would crash the process.
    response.on('error', () => undefined)
    this.#closed = new Promise((resolve) => {
      response.once('close', () => {
        this.#release()
        resolve()
      })
    })
  }

  /**
   * @returns If the client cannot keep up, a promise to await before the next write; it also resolves when the client
   *   is gone.
   */
  write(text: string): Promise<void> | undefined {
    this.#pending += text
    if (this.#pending.length >= pendingCharsMax) this.#flush('')
    else if (text !== '') this.#flushing ??= setImmediate(() => this.#flush(''))
    return this.#isBlocked ? this.#untilWritable() : undefined
  }

  /** Ends the response after flushing what `write` received. Can be called again to wait for the end. */
  end(): Promise<void> {
    if (this.#response.destroyed || this.#response.writableEnded) return this.#closed
    this.#cancelFlush()
    // Nothing may follow the end, so from now on an elapsed countdown means a client that does not read.
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

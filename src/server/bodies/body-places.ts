import { setImmediate as nextTurn } from 'node:timers/promises'
import { clientNetwork } from '../../access/client-network.ts'
import type { Clock } from '../../base/clock.ts'
import { AppError } from '../../contract/app-error.ts'

export interface BodyPlacesOptions {
  /** Over all large bodies in progress. */
  bytesMax: number
  waitingMax: number
  waitMsMax: number
  /** From admission to the last byte, so that a slow sender cannot occupy its place longer. */
  bodyMsMax: number
}

export const bodyPlacesDefault: BodyPlacesOptions = {
  bytesMax: 24 * 1024 * 1024,
  waitingMax: 500,
  waitMsMax: 15_000,
  bodyMsMax: 30_000,
}

/** Share of all bytes that one network may occupy: see `clientNetwork`. */
const addressShare = 0.5

/** Bytes processed per turn of the event loop: a few milliseconds. */
const turnBytesMax = 1024 * 1024

/** A body waiting for a place. */
export interface PlacedBody {
  /** Client address. */
  address: string
  /** Its maximum size. */
  bytes: number
}

/** A place for one body. */
export interface BodyPlace {
  /** Aborts with an `AppError` when the body has taken too long. */
  signal: AbortSignal
  release(): void
}

interface NetworkBody {
  network: string
  bytes: number
}

interface Waiter extends NetworkBody {
  acquire(): void
}

/** Limits the memory that all large bodies use, and how long they block one turn of the event loop. */
export class BodyPlaces {
  readonly #clock: Clock
  readonly #options: BodyPlacesOptions
  #bytes = 0
  readonly #bytesByNetwork = new Map<string, number>()
  /** Deadlines of bodies in progress, in UTC milliseconds; oldest first. */
  readonly #ends = new Map<BodyPlace, number>()
  /** Oldest first. */
  readonly #waiting = new Set<Waiter>()
  #lastParsed: Promise<unknown> = Promise.resolve()
  #turnBytes = 0
  #turn: Promise<void> | null = null

  constructor(clock: Clock, options: Partial<BodyPlacesOptions> = {}) {
    this.#clock = clock
    this.#options = { ...bodyPlacesDefault, ...options }
  }

  /**
   * Waits for a place. First come, first served, except for networks that have used up their share.
   *
   * @throws {AppError} `overloaded` if too many are waiting or the wait is too long; the reason of `signal` if that
   *   aborts.
   */
  async acquire({ address, bytes }: PlacedBody, signal: AbortSignal): Promise<BodyPlace> {
    signal.throwIfAborted()
    const body = { network: clientNetwork(address), bytes }
    if (this.#waiting.size > 0 || !this.#hasRoom(body)) await this.#wait(body, signal)
    else this.#count(body, body.bytes)
    const { bodyMsMax } = this.#options
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(bodyTooSlow(bodyMsMax)), bodyMsMax)
    const place: BodyPlace = {
      signal: late.signal,
      release: () => {
        clearTimeout(timer)
        if (!this.#ends.delete(place)) return
        this.#count(body, -body.bytes)
        this.#admit()
      },
    }
    this.#ends.set(place, this.#clock.now() + bodyMsMax)
    return place
  }

  /**
   * @returns Resolves when more may be read; undefined if that is now. Keeps many fast bodies from starving other
   *   requests.
   */
  noteBytes(bytes: number): Promise<void> | undefined {
    this.#turnBytes += bytes
    this.#turn ??= this.#endTurn()
    return this.#turnBytes > turnBytesMax ? this.#turn : undefined
  }

  async #endTurn(): Promise<void> {
    await nextTurn()
    this.#turnBytes = 0
    this.#turn = null
  }

  /** Runs blocking work, one piece per turn of the event loop, so that other requests run in between. */
  async parse<Result>(work: () => Result): Promise<Result> {
    const parsed = this.#lastParsed.then(() => nextTurn()).then(work)
    this.#lastParsed = parsed.catch(() => undefined)
    return parsed
  }

  #hasRoom(body: NetworkBody): boolean {
    return this.#bytes + body.bytes <= this.#options.bytesMax && !this.#hasShare(body)
  }

  #hasShare({ network, bytes }: NetworkBody): boolean {
    const held = this.#bytesByNetwork.get(network) ?? 0
    return held > 0 && held + bytes > this.#options.bytesMax * addressShare
  }

  #count({ network }: NetworkBody, bytes: number): void {
    this.#bytes += bytes
    const held = (this.#bytesByNetwork.get(network) ?? 0) + bytes
    if (held === 0) this.#bytesByNetwork.delete(network)
    else this.#bytesByNetwork.set(network, held)
  }

  async #wait(body: NetworkBody, signal: AbortSignal): Promise<void> {
    const { waitingMax, waitMsMax } = this.#options
    if (this.#waiting.size >= waitingMax) throw this.#refusal()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { ...body, acquire: resolve }
    const giveUp = (reason: unknown) => {
      // Not in the set any more: already admitted.
      if (!this.#waiting.delete(waiter)) return
      reject(reason)
      this.#admit()
    }
    const timer = setTimeout(() => giveUp(this.#refusal()), waitMsMax)
    const onAbort = () => giveUp(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#waiting.add(waiter)
    this.#admit()
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  #admit(): void {
    for (const waiter of this.#waiting) {
      if (this.#hasShare(waiter)) continue
      // Smaller bodies behind it must not starve it.
      if (!this.#hasRoom(waiter)) return
      this.#waiting.delete(waiter)
      this.#count(waiter, waiter.bytes)
      waiter.acquire()
    }
  }

  #refusal(): AppError {
    const now = this.#clock.now()
    const [end = now] = this.#ends.values()
    // Capped, because the clock may have been set back in the meantime.
    const seconds = Math.max(1, Math.ceil(Math.min(end - now, this.#options.bodyMsMax) / 1_000))
    return new AppError('overloaded', `Too many large requests are under way. Try again in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    })
  }
}

function bodyTooSlow(bodyMsMax: number): AppError {
  const message = `The body took longer than ${bodyMsMax / 1_000} seconds to arrive. Send it again, or send less.`
  return new AppError('invalid_request', message, { details: [{ path: '', message }] })
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { FairGate } from '../base/fair-gate.ts'
import { AppError } from '../contract/app-error.ts'

export interface BodyPlacesOptions {
  /** Large bodies in work at once: with the largest body that is taken, this bounds their memory. */
  placesMax: number
  waitingMax: number
  waitMsMax: number
  /** From the place to the last byte, so that whoever sends by drops keeps it from others for no longer. */
  bodyMsMax: number
}

/** 16 bodies of 4 MiB make 64 MiB. */
const optionsDefault: BodyPlacesOptions = { placesMax: 16, waitingMax: 200, waitMsMax: 10_000, bodyMsMax: 30_000 }

/** Bytes of all bodies that are looked at in one turn of the event loop: some milliseconds. */
const turnBytesMax = 1024 * 1024

/** Of the places, what one client address may have. */
const addressShare = 0.75

/** A place for one body. */
export interface BodyPlace {
  /** Aborts with an `AppError` when the body has taken too long. */
  signal: AbortSignal
  leave(): void
}

/** Bounds the large bodies that are read at once, and has them parsed one after the other. */
export class BodyPlaces {
  readonly #clock: Clock
  readonly #options: BodyPlacesOptions
  readonly #gate: FairGate
  /** When each place is free at the latest, in UTC milliseconds; oldest first. */
  readonly #ends = new Map<BodyPlace, number>()
  #lastParsed: Promise<unknown> = Promise.resolve()
  #turnBytes = 0
  #turn: Promise<void> | null = null

  constructor(clock: Clock, options: Partial<BodyPlacesOptions> = {}) {
    this.#clock = clock
    this.#options = { ...optionsDefault, ...options }
    const { placesMax, waitingMax, waitMsMax } = this.#options
    this.#gate = new FairGate({
      runningMax: placesMax,
      runningPerSubjectMax: Math.ceil(placesMax * addressShare),
      waitingMax,
      waitMsMax,
      refuse: () => this.#refuse(),
    })
  }

  /**
   * @param address Whose body it is: places are shared between addresses.
   * @throws {AppError} `overloaded` when the line is full or the wait too long; the reason of `signal` when that aborts.
   */
  async enter(address: string, signal: AbortSignal): Promise<BodyPlace> {
    const leaveGate = await this.#gate.enter(address, signal)
    const { bodyMsMax } = this.#options
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(bodyTooSlow(bodyMsMax)), bodyMsMax)
    const place: BodyPlace = {
      signal: late.signal,
      leave: () => {
        clearTimeout(timer)
        this.#ends.delete(place)
        leaveGate()
      },
    }
    this.#ends.set(place, this.#clock.now() + bodyMsMax)
    return place
  }

  /** @returns What to await before more is read, because many bodies that come fast would leave nothing for others. */
  noteBytes(bytes: number): Promise<void> | undefined {
    this.#turnBytes += bytes
    this.#turn ??= nextTurn().then(() => {
      this.#turnBytes = 0
      this.#turn = null
    })
    return this.#turnBytes > turnBytesMax ? this.#turn : undefined
  }

  /** Runs work that holds up the process, with a turn of the event loop before each, so that other requests go between. */
  async parse<Result>(work: () => Result): Promise<Result> {
    const parsed = this.#lastParsed.then(() => nextTurn()).then(work)
    this.#lastParsed = parsed.catch(() => undefined)
    return parsed
  }

  #refuse(): AppError {
    const [end = this.#clock.now()] = this.#ends.values()
    const seconds = Math.max(1, Math.ceil((end - this.#clock.now()) / 1_000))
    return new AppError('overloaded', `Too many large requests are under way. Try again in ${seconds} seconds.`, {
      headers: { 'Retry-After': String(seconds) },
    })
  }
}

function bodyTooSlow(bodyMsMax: number): AppError {
  const message = `The body took longer than ${bodyMsMax / 1_000} seconds to arrive. Send it again, or send less.`
  return new AppError('invalid_request', message, { details: [{ path: '', message }] })
}

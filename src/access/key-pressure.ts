import type { Clock } from '../base/clock.ts'

const minuteMs = 60_000

/** Bounds the memory; keys whose sessions are off are not looked at. */
const keysMax = 10_000

interface Minute {
  startsAt: number
  /** Questions that came here, refused ones included. */
  seen: number
  /** Questions that were let through, of all processes. */
  counted: number
}

/**
 * How often a key has been used in the last minute. What is let through is known from the counters, whose statement
 * tells it anyway; what is refused before is known to the process that refused it.
 */
export class KeyPressure {
  readonly #clock: Clock
  readonly #minutes = new Map<string, readonly [current: Minute, before: Minute]>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** A question with this key came in. */
  note(keyId: string): void {
    this.#turn(keyId)[0].seen += 1
  }

  /** @param counted Questions of this minute that all processes have let through. */
  noteCounted(keyId: string, counted: number): void {
    const [current] = this.#turn(keyId)
    current.counted = Math.max(current.counted, counted)
  }

  /** Questions in the last sixty seconds, those of the minute before by the part of it that is within. */
  perMinute(keyId: string): number {
    const [current, before] = this.#turn(keyId)
    const elapsed = (this.#clock.now() - current.startsAt) / minuteMs
    return Math.max(current.seen, current.counted) + Math.max(before.seen, before.counted) * Math.max(0, 1 - elapsed)
  }

  #turn(keyId: string): readonly [current: Minute, before: Minute] {
    const startsAt = Math.floor(this.#clock.now() / minuteMs) * minuteMs
    const known = this.#minutes.get(keyId)
    if (known?.[0].startsAt === startsAt) return known
    const before = known?.[0].startsAt === startsAt - minuteMs ? known[0] : emptyMinute(startsAt - minuteMs)
    const turned = [emptyMinute(startsAt), before] as const
    if (this.#minutes.size >= keysMax) this.#minutes.clear()
    this.#minutes.set(keyId, turned)
    return turned
  }
}

function emptyMinute(startsAt: number): Minute {
  return { startsAt, seen: 0, counted: 0 }
}

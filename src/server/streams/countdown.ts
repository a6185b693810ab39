/** Calls back once when it has run out, and again after each restart. */
export interface Countdown {
  /** Begins anew, also after it has run out. Cheap enough for every write. */
  restart(): void
  stop(): void
}

/** The timer of a stream, handed in so that tests can let time pass. */
export type StartCountdown = (delayMs: number, onElapsed: () => void) => Countdown

export const startCountdown: StartCountdown = (delayMs, onElapsed) => {
  const timeout = setTimeout(onElapsed, delayMs)
  return { restart: () => timeout.refresh(), stop: () => clearTimeout(timeout) }
}

/** A timer that fires once when it elapses, and again after each restart. */
export interface Countdown {
  /** Restarts the timer, even after it has fired. Cheap enough for every write. */
  restart(): void
  stop(): void
}

/** Injected so that tests can control time. */
export type StartCountdown = (delayMs: number, onElapsed: () => void) => Countdown

export const startCountdown: StartCountdown = (delayMs, onElapsed) => {
  const timeout = setTimeout(onElapsed, delayMs)
  return { restart: () => timeout.refresh(), stop: () => clearTimeout(timeout) }
}

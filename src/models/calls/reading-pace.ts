import type { EventLoopUtilization } from 'node:perf_hooks'

/** Longest time that text waits to be handled together with what follows. */
export const pauseMsMax = 40

/** How much of its time the event loop works: below the first nothing waits, from the second on the pauses are longest. */
const loads = { idle: 0.1, busy: 0.5 }
const sampleMs = 100

/** The first words of an answer, and what a provider sends before them, never wait. */
const readsAtOnce = 4

export interface ReadingPaceDeps {
  /** Milliseconds from any origin, which never jump. */
  now(): number
  readLoop(previous?: EventLoopUtilization): EventLoopUtilization
}

/**
 * Pauses between two reads of a provider's stream, by the load of the process. Most of what a piece costs does not
 * depend on its length, so what arrives during a pause costs as much as one piece. Text that follows a silence does not
 * wait at all, because its read has begun.
 */
export class ReadingPace {
  readonly #deps: ReadingPaceDeps
  #sampledAtMs: number
  #sample: EventLoopUtilization
  #pauseMs = 0

  constructor(deps: ReadingPaceDeps) {
    this.#deps = deps
    this.#sampledAtMs = deps.now()
    this.#sample = deps.readLoop()
  }

  /** @returns Called before each read of one stream: what to await, if anything. */
  startStream(): () => Promise<void> | undefined {
    let reads = 0
    return () => {
      const pauseMs = ++reads > readsAtOnce ? this.#measurePause() : 0
      return pauseMs === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }

  #measurePause(): number {
    const nowMs = this.#deps.now()
    if (nowMs - this.#sampledAtMs < sampleMs) return this.#pauseMs
    const { utilization } = this.#deps.readLoop(this.#sample)
    this.#sample = this.#deps.readLoop()
    this.#sampledAtMs = nowMs
    const share = (utilization - loads.idle) / (loads.busy - loads.idle)
    this.#pauseMs = Math.round(pauseMsMax * Math.min(1, Math.max(0, share)))
    return this.#pauseMs
  }
}

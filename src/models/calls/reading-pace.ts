import type { EventLoopUtilization } from 'node:perf_hooks'

/**
 * Longest time that text waits to be handled together with what follows. Shorter pauses would cost more than they save:
 * most models send a piece every 10 to 30 ms.
 */
export const pauseMs = 40

/** Share of its time that the event loop works. Pauses begin above the first, and end below the second. */
const loads = { busy: 0.15, idle: 0.05 }
const sampleMs = 100

/** The first words of an answer, and what a provider sends before them, never wait. */
const readsAtOnce = 4

export interface ReadingPaceDeps {
  /** Milliseconds from any origin, which never jump. */
  now(): number
  readLoop(previous?: EventLoopUtilization): EventLoopUtilization
}

/**
 * Pauses between two pieces of a provider's stream, while the process is busy. Most of what a piece costs does not
 * depend on its length, so what arrives during a pause costs as much as one piece. Text that follows a longer silence
 * does not wait at all, because the pause is over.
 */
export class ReadingPace {
  readonly #deps: ReadingPaceDeps
  #sampledAtMs: number
  #sample: EventLoopUtilization
  #isBusy = false

  constructor(deps: ReadingPaceDeps) {
    this.#deps = deps
    this.#sampledAtMs = deps.now()
    this.#sample = deps.readLoop()
  }

  /**
   * @param closed Settles when everything has been read, which ends a pause.
   * @returns Called before each read of one stream: what to await, if anything.
   */
  startStream(closed: Promise<unknown>): () => Promise<void> | undefined {
    let reads = 0
    let isClosed = false
    let endPause: (() => void) | undefined
    const close = () => {
      isClosed = true
      endPause?.()
    }
    closed.then(close, close)
    return () => {
      if (++reads <= readsAtOnce || isClosed || !this.#measureLoad()) return undefined
      return new Promise((resolve) => {
        endPause = resolve
        setTimeout(resolve, pauseMs)
      })
    }
  }

  #measureLoad(): boolean {
    const nowMs = this.#deps.now()
    if (nowMs - this.#sampledAtMs < sampleMs) return this.#isBusy
    const { utilization } = this.#deps.readLoop(this.#sample)
    this.#sample = this.#deps.readLoop()
    this.#sampledAtMs = nowMs
    this.#isBusy = utilization > (this.#isBusy ? loads.idle : loads.busy)
    return this.#isBusy
  }
}

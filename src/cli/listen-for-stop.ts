import type { EventEmitter } from 'node:events'
import { constants } from 'node:os'

export interface StopRequest {
  /** Aborts at the first signal. */
  signal: AbortSignal
  /** Resolves at the first signal. */
  requested: Promise<void>
}

export interface ListenForStopDeps {
  signals: Pick<EventEmitter, 'on'>
  /** Milliseconds from an arbitrary epoch. */
  now(): number
  exit(code: number): void
}

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * A single stop request may arrive several times: Ctrl-C reaches every process in the terminal, and npm and
 * `scripts/run.js` forward it again.
 */
const sameRequestMs = 1_000

/**
 * Listens for stop signals, so that one during startup is not lost. A further signal at least one second after the
 * first exits immediately.
 */
export function listenForStop(deps: ListenForStopDeps = processDeps): StopRequest {
  const controller = new AbortController()
  const { promise: requested, resolve } = Promise.withResolvers<void>()
  let firstAt: number | null = null
  for (const name of stopSignals) {
    deps.signals.on(name, () => {
      if (firstAt === null) {
        firstAt = deps.now()
        controller.abort()
        resolve()
      } else if (deps.now() - firstAt >= sameRequestMs) {
        deps.exit(128 + constants.signals[name])
      }
    })
  }
  return { signal: controller.signal, requested }
}

const processDeps: ListenForStopDeps = {
  signals: process,
  now: () => performance.now(),
  exit: (code) => process.exit(code),
}

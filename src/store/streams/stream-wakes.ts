import type { Log } from '../../telemetry/log.ts'
import type { Store } from '../store.ts'

/**
 * Tells processes that read an answer from the database that there is more of it. Only an optimization: a lost wake
 * costs a reader one poll interval.
 */
export interface StreamWakes {
  /** Never rejects. */
  send(streamIds: readonly string[]): Promise<void>
  /** @returns A function that ends the subscription. */
  subscribe(streamId: string, wake: () => void): () => void
  close(): Promise<void>
}

/** The embedded database is used by a single process, whose readers get new text directly. */
const noStreamWakes: StreamWakes = { send: async () => {}, subscribe: () => () => {}, close: async () => {} }

export interface StreamWakesDeps {
  store: Store
  log: Log
  databaseUrl: string | undefined
}

/** The driver of PostgreSQL is loaded only where it is used. */
export async function createStreamWakes({ store, log, databaseUrl }: StreamWakesDeps): Promise<StreamWakes> {
  if (databaseUrl === undefined) return noStreamWakes
  const { PostgresStreamWakes } = await import('./postgres-stream-wakes.ts')
  return new PostgresStreamWakes({ store, log, databaseUrl })
}

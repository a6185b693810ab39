import type { Log } from '../../telemetry/log.ts'
import type { Store } from '../store.ts'

/** Broadcasts short texts to all other running processes. Nothing is stored, and any notice may be lost. */
export interface Notices {
  /** Never rejects. @param text At most some thousand bytes. */
  send(text: string): Promise<void>
  /**
   * Subscribes to other processes' notices for the rest of the process.
   *
   * @param onGap Called when the connection is back after notices may have been lost.
   */
  listen(onNotice: (text: string) => void, onGap: () => void): void
  close(): Promise<void>
}

/** The embedded database is used by a single process. */
const noNotices: Notices = { send: async () => {}, listen: () => {}, close: async () => {} }

export interface NoticesDeps {
  store: Store
  log: Log
  databaseUrl: string | undefined
  /** Identifies this process, so that it ignores its own notices. */
  sender: string
}

/** The driver of PostgreSQL is loaded only where it is used. */
export async function createNotices({ databaseUrl, ...deps }: NoticesDeps): Promise<Notices> {
  if (databaseUrl === undefined) return noNotices
  const { PostgresNotices } = await import('./postgres-notices.ts')
  return new PostgresNotices({ ...deps, databaseUrl })
}

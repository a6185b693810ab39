import { sql } from 'kysely'
import pg from 'pg'
import type { StreamWakes, StreamWakesDeps } from './stream-wakes.ts'

const channel = 'docent_stream_wakes'
const connectMsMax = 5_000
/** Pause before reconnecting. */
const reconnectMs = 2_000

/** Sends over the pool; listens on a connection of its own, opened by the first subscriber. */
export class PostgresStreamWakes implements StreamWakes {
  readonly #deps: StreamWakesDeps
  readonly #subscribers = new Map<string, Set<() => void>>()
  #client: pg.Client | null = null
  #retry: NodeJS.Timeout | null = null
  #isClosed = false

  constructor(deps: StreamWakesDeps) {
    this.#deps = deps
  }

  async send(streamIds: readonly string[]): Promise<void> {
    if (streamIds.length === 0) return
    const { store, log } = this.#deps
    try {
      await sql`select pg_notify(${channel}, id) from unnest(${[...streamIds]}::text[]) as id`.execute(store.relaxed)
    } catch (error) {
      log.warn({ error }, 'stream-wake-not-sent')
    }
  }

  subscribe(streamId: string, wake: () => void): () => void {
    const wakes = this.#subscribers.get(streamId) ?? new Set()
    wakes.add(wake)
    this.#subscribers.set(streamId, wakes)
    this.#listen()
    return () => {
      wakes.delete(wake)
      if (wakes.size === 0) this.#subscribers.delete(streamId)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    await this.#client?.end().catch(() => undefined)
  }

  #listen(): void {
    if (this.#client !== null || this.#isClosed || this.#retry !== null) return
    const { databaseUrl, log } = this.#deps
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'docent wakes',
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
    })
    this.#client = client
    client.on('notification', ({ payload }) => {
      for (const wake of this.#subscribers.get(payload ?? '') ?? []) wake()
    })
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, null))
    client
      .connect()
      .then(() => client.query(`listen ${channel}`))
      .catch((error: unknown) => {
        log.warn({ error }, 'stream-wakes-not-heard')
        this.#lose(client, null)
      })
  }

  /** Readers rely on polling until the connection is back. */
  #lose(client: pg.Client, error: Error | null): void {
    if (this.#client !== client || this.#isClosed) return
    if (error !== null) this.#deps.log.warn({ error }, 'stream-wakes-lost')
    this.#client = null
    client.end().catch(() => undefined)
    this.#retry = setTimeout(() => {
      this.#retry = null
      if (this.#subscribers.size > 0) this.#listen()
    }, reconnectMs)
    this.#retry.unref()
  }
}

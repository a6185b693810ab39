import { sql } from 'kysely'
import pg from 'pg'
import type { Notices, NoticesDeps } from './notices.ts'

const channel = 'docent_notices'
const connectMsMax = 5_000
const reconnectMs = 2_000

/** Sends over the pool; listens on a connection of its own, opened on the first `listen`. */
export class PostgresNotices implements Notices {
  readonly #deps: NoticesDeps & { databaseUrl: string }
  #heard: { onNotice: (text: string) => void; onGap: () => void } | null = null
  #client: pg.Client | null = null
  #retry: NodeJS.Timeout | null = null
  #isClosed = false
  #wasLost = false

  constructor(deps: NoticesDeps & { databaseUrl: string }) {
    this.#deps = deps
  }

  async send(text: string): Promise<void> {
    const { store, log, sender } = this.#deps
    try {
      await sql`select pg_notify(${channel}, ${`${sender} ${text}`})`.execute(store.relaxed)
    } catch (error) {
      log.warn({ error }, 'notice-not-sent')
    }
  }

  listen(onNotice: (text: string) => void, onGap: () => void): void {
    this.#heard = { onNotice, onGap }
    this.#connect()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#retry !== null) clearTimeout(this.#retry)
    await this.#client?.end().catch(() => undefined)
  }

  #connect(): void {
    if (this.#client !== null || this.#isClosed) return
    const client = new pg.Client({
      connectionString: this.#deps.databaseUrl,
      application_name: 'docent notices',
      connectionTimeoutMillis: connectMsMax,
      keepAlive: true,
    })
    this.#client = client
    client.on('notification', ({ payload }) => this.#hear(payload ?? ''))
    client.on('error', (error) => this.#lose(client, error))
    client.on('end', () => this.#lose(client, null))
    this.#begin(client).catch((error: unknown) => this.#lose(client, error))
  }

  async #begin(client: pg.Client): Promise<void> {
    await client.connect()
    await client.query(`listen ${channel}`)
    if (this.#wasLost) this.#heard?.onGap()
    this.#wasLost = false
  }

  #hear(payload: string): void {
    const end = payload.indexOf(' ')
    if (payload.slice(0, end) !== this.#deps.sender) this.#heard?.onNotice(payload.slice(end + 1))
  }

  #lose(client: pg.Client, error: unknown): void {
    if (this.#client !== client || this.#isClosed) return
    if (error !== null) this.#deps.log.warn({ error }, 'notices-lost')
    this.#client = null
    this.#wasLost = true
    client.end().catch(() => undefined)
    this.#retry = setTimeout(() => this.#connect(), reconnectMs)
    this.#retry.unref()
  }
}

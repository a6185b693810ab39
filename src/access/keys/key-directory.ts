import { isRecent } from '../../base/is-recent.ts'
import type { Clock } from '../../base/clock.ts'
import { type ApiKey, findKeyByHash, touchKey } from '../../store/accounts/keys.ts'
import type { Store } from '../../store/store.ts'
import { hashKeySecret } from './key-secret.ts'
import { isOutage } from '../limits/outage-counts.ts'

/**
 * How long a cached key is trusted. Bounds how late a revocation by another process takes effect; the contract allows 5
 * s.
 */
const believedMs = 3_000

/**
 * How long a cached assistant key is trusted during a database outage: searches need nothing else from the database.
 */
const believedInOutageMs = 900_000

/** `last used` is shown to people; a minute is precise enough. */
const touchIntervalMs = 60_000

/** Bounds memory when clients flood the server with invented keys. */
const entriesMax = 10_000

interface Entry {
  key: ApiKey | null
  readAtMs: number
}

/** Looks up keys by secret and caches the result for a few seconds, unknown keys included. */
export class KeyDirectory {
  readonly #store: Store
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()
  /** Lookups under way, shared by the requests that arrive meanwhile: of a busy key, many at once when it expires. */
  readonly #lookups = new Map<string, Promise<ApiKey | null>>()
  /** Made by this process. A lookup that began before one may have read the old key. */
  #changes = 0
  readonly #touchedAtMs = new Map<string, number>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async find(secret: string): Promise<ApiKey | null> {
    const hash = hashKeySecret(secret)
    const known = this.#entries.get(hash)
    if (known !== undefined && isRecent(known.readAtMs, believedMs, this.#clock.now())) return known.key
    const lookup = this.#lookups.get(hash) ?? this.#lookUp(hash)
    this.#lookups.set(hash, lookup)
    try {
      return await lookup
    } catch (error) {
      const inOutage = isRecent(known?.readAtMs ?? 0, believedInOutageMs, this.#clock.now())
      if (known?.key?.kind === 'assistant' && inOutage && isOutage(error)) return known.key
      throw error
    }
  }

  async #lookUp(hash: string): Promise<ApiKey | null> {
    const readAtMs = this.#clock.now()
    const changes = this.#changes
    try {
      const key = await findKeyByHash(this.#store.durable, hash)
      if (changes !== this.#changes) return key
      if (this.#entries.size >= entriesMax) this.#makeRoom()
      this.#entries.set(hash, { key, readAtMs })
      return key
    } finally {
      if (changes === this.#changes) this.#lookups.delete(hash)
    }
  }

  /** Unknown keys go first, so that a flood of them does not evict keys in use. */
  #makeRoom(): void {
    for (const [hash, { key }] of this.#entries) if (key === null) this.#entries.delete(hash)
    if (this.#entries.size >= entriesMax) this.#entries.clear()
  }

  /** Clears the cache, so that a change made here takes effect with the next request. */
  forget(): void {
    this.#changes += 1
    this.#entries.clear()
    this.#lookups.clear()
  }

  /** Records that a key was used, at most once a minute per key. */
  async touch(key: ApiKey): Promise<void> {
    const now = this.#clock.now()
    if (isRecent(this.#touchedAtMs.get(key.id) ?? 0, touchIntervalMs, now)) return
    this.#touchedAtMs.set(key.id, now)
    await touchKey(this.#store.relaxed, key.id, now)
  }
}

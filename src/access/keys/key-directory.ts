import { isRecent } from '../../base/is-recent.ts'
import type { Clock } from '../../base/clock.ts'
import { type ApiKey, findKeyByHash, touchKey } from '../../store/accounts/keys.ts'
import type { Store } from '../../store/store.ts'
import { hashKeySecret } from './key-secret.ts'
import { isOutage } from '../limits/outage-counts.ts'

/** How long a key that was looked up is believed. A revocation elsewhere is seen within this time; the contract allows 5 s. */
const believedMs = 3_000

/** How long a key of readers is believed while the database does not answer: a search needs nothing else of it. */
const believedInOutageMs = 900_000

/** `last used` is for people, who do not mind a minute. */
const touchIntervalMs = 60_000

/** Bounds the memory that a flood of invented keys can take. */
const entriesMax = 10_000

interface Entry {
  key: ApiKey | null
  readAtMs: number
}

/** Looks keys up by their secret, and remembers the answer for a few seconds, unknown keys included. */
export class KeyDirectory {
  readonly #store: Store
  readonly #clock: Clock
  readonly #entries = new Map<string, Entry>()
  readonly #touchedAtMs = new Map<string, number>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  async find(secret: string): Promise<ApiKey | null> {
    const hash = hashKeySecret(secret)
    const known = this.#entries.get(hash)
    if (known !== undefined && isRecent(known.readAtMs, believedMs, this.#clock.now())) return known.key
    const readAtMs = this.#clock.now()
    try {
      const key = await findKeyByHash(this.#store.durable, hash)
      if (this.#entries.size >= entriesMax) this.#makeRoom()
      this.#entries.set(hash, { key, readAtMs })
      return key
    } catch (error) {
      const inOutage = isRecent(known?.readAtMs ?? 0, believedInOutageMs, readAtMs)
      if (known?.key?.kind === 'assistant' && inOutage && isOutage(error)) return known.key
      throw error
    }
  }

  /** Unknown keys go first, so that a flood of them pushes out no key that is used. */
  #makeRoom(): void {
    for (const [hash, { key }] of this.#entries) if (key === null) this.#entries.delete(hash)
    if (this.#entries.size >= entriesMax) this.#entries.clear()
  }

  /** Forgets what is remembered, so that a change made here holds from the next request on. */
  forget(): void {
    this.#entries.clear()
  }

  /** Notes that a key was used, at most once a minute per key. */
  async touch(key: ApiKey): Promise<void> {
    const now = this.#clock.now()
    if (isRecent(this.#touchedAtMs.get(key.id) ?? 0, touchIntervalMs, now)) return
    this.#touchedAtMs.set(key.id, now)
    await touchKey(this.#store.relaxed, key.id, now)
  }
}

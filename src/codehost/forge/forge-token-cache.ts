import type { Clock } from '../../base/clock.ts'

/** A token issued by a forge. */
export interface ForgeToken {
  token: string
  /** UTC milliseconds. */
  expiresAt: number
}

/** Tokens are renewed this long before they expire, so that a fetch or push started with one can finish. */
const aheadMs = 15 * 60_000
const tokensMax = 10_000

/** App tokens until shortly before they expire. In memory only, one cache per process. */
export class ForgeTokenCache {
  readonly #clock: Clock
  readonly #tokens = new Map<string, ForgeToken>()

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /**
   * @param key Everything that the token depends on: forge, App, repository, permissions.
   * @param make Requests a token. Concurrent callers may each make one; the last is cached.
   */
  async get(key: string, make: () => Promise<ForgeToken>): Promise<string> {
    const known = this.#tokens.get(key)
    if (known !== undefined && known.expiresAt - aheadMs > this.#clock.now()) return known.token
    const made = await make()
    this.#tokens.delete(key)
    this.#tokens.set(key, made)
    const oldest = this.#tokens.keys().next()
    if (this.#tokens.size > tokensMax && oldest.done !== true) this.#tokens.delete(oldest.value)
    return made.token
  }

  /** Drops a token that the forge rejected, unless a newer one has replaced it. */
  forget(key: string, token: string): void {
    if (this.#tokens.get(key)?.token === token) this.#tokens.delete(key)
  }
}

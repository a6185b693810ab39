import type { Clock } from '../../base/clock.ts'

/** A token that a forge made for us. */
export interface ForgeToken {
  token: string
  /** UTC milliseconds. */
  expiresAt: number
}

/** A token is made anew so long before its end, because what begins with it may take a while: a fetch, a push. */
const aheadMs = 15 * 60_000
const tokensMax = 10_000

/** Tokens of Apps until shortly before their end. In memory only, one for the whole process. */
export class ForgeTokenCache {
  readonly #clock: Clock
  readonly #tokens = new Map<string, ForgeToken>()

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock
  }

  /**
   * @param key Names everything that the token depends on: forge, App, repository, permissions.
   * @param make Asks the forge. Of several that ask at once each may make one, and the last is kept.
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

  /** Forgets a token that the forge refused; one that was made since stays. */
  forget(key: string, token: string): void {
    if (this.#tokens.get(key)?.token === token) this.#tokens.delete(key)
  }
}
